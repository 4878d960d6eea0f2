(* SPDX-License-Identifier: MIT *)
let step table k acc =
  let chain = Array.unsafe_get table 0 in
  let longer x = chain x + k in
  if k land 7 <> 7 then (Array.unsafe_set table 0 longer; acc)
  else (let acc = longer acc in Array.unsafe_set table 0 Table.same; acc)
let () = Table.turns step
