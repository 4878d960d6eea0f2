(* SPDX-License-Identifier: MIT *)
let step table k acc =
  let a = acc + k and b = acc lxor k in
  Table.exchange table k (fun x -> x * k + (x + a) * (b + acc)) acc
let () = Table.turns step
