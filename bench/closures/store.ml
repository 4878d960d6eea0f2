(* SPDX-License-Identifier: MIT *)
let step table i acc = Table.exchange table i (fun x -> x * i + acc) acc
let () = Table.turns step
