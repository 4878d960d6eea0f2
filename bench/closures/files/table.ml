(* SPDX-License-Identifier: MIT *)
(* What the three programs share: a table of functions, and turns that are counted. Numbers have 63 bits. *)
let same x = x

let exchange table i f x =
  let old = Array.unsafe_get table (i land 63) in
  Array.unsafe_set table (i land 63) f;
  old x

let turns step =
  let n = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 1000 in
  let table = Array.make 64 same in
  let acc = ref 1 in
  for i = 0 to n - 1 do acc := step table i !acc done;
  Printf.printf "%d\n" (!acc land 0xffffffff)
