; ModuleID = 'mim'
source_filename = "mim"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @main(i32 %0, ptr %1) local_unnamed_addr {
entry:
  tail call void @mim_collect_attach()
  %2 = notail call fastcc i32 @mim.main(i32 %0, ptr %1) #4
  ret i32 %2
}

; Function Attrs: nounwind
define internal fastcc i32 @mim.main(i32 %0, ptr %1) unnamed_addr #0 {
entry:
  %2 = alloca { ptr }, align 8
  %3 = tail call ptr @mim_collect_closure(i64 16) #0
  store i64 0, ptr %3, align 8
  %4 = insertvalue { i32, ptr } undef, i32 %0, 0
  %5 = insertvalue { i32, ptr } %4, ptr %1, 1
  call tailcc void @mim.closure(ptr nonnull %3, { i32, ptr } %5, ptr nonnull %2) #0
  %6 = load i64, ptr %3, align 8
  %.not = icmp eq i64 %6, 0
  br i1 %.not, label %wrong, label %fine

wrong:                                            ; preds = %entry
  tail call void @llvm.trap()
  unreachable

fine:                                             ; preds = %entry
  %7 = getelementptr inbounds i8, ptr %3, i64 8
  %8 = load i32, ptr %7, align 4
  ret i32 %8
}

declare void @mim_collect_attach() local_unnamed_addr

declare ptr @mim_collect_closure(i64) local_unnamed_addr

; Function Attrs: nounwind
define internal tailcc void @mim.closure(ptr %0, { i32, ptr } %1, ptr nocapture readnone %2) unnamed_addr #0 {
entry:
  %3 = tail call noalias ptr @mim_collect_closure(i64 16) #5
  store ptr @mim.closure.2, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %0, ptr %4, align 8
  %5 = extractvalue { i32, ptr } %1, 0
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %bb1.i.i, label %bb.i.i

bb.i.i:                                           ; preds = %entry
  %7 = tail call noalias ptr @mim_collect_closure(i64 24) #5
  store ptr @mim.closure.4, ptr %7, align 8
  %8 = insertvalue { ptr, i32 } undef, ptr %3, 0
  %9 = insertvalue { ptr, i32 } %8, i32 %5, 1
  %10 = getelementptr inbounds i8, ptr %7, i64 8
  store { ptr, i32 } %9, ptr %10, align 8
  %11 = icmp eq i32 %5, 1
  br i1 %11, label %bb1.i.i.i.i, label %bb.i.i.i.i

bb.i.i.i.i:                                       ; preds = %bb.i.i
  %12 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.6, ptr %12, align 8
  %13 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %7, 0
  %14 = insertvalue { ptr, i64, i32, ptr, i32 } %13, i64 0, 1
  %15 = insertvalue { ptr, i64, i32, ptr, i32 } %14, i32 0, 2
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } %15, ptr %3, 3
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i32 %5, 4
  %18 = getelementptr inbounds i8, ptr %12, i64 8
  store { ptr, i64, i32, ptr, i32 } %17, ptr %18, align 8
  %19 = icmp eq i32 %5, 2
  br i1 %19, label %bb1.i.i.i.i.i.i, label %bb.i.i.i.i.i.i

bb.i.i.i.i.i.i:                                   ; preds = %bb.i.i.i.i
  %20 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.8, ptr %20, align 8
  %21 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %12, 0
  %22 = insertvalue { ptr, i64, i32, ptr, i32 } %21, i64 0, 1
  %23 = insertvalue { ptr, i64, i32, ptr, i32 } %22, i32 0, 2
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } %23, ptr %3, 3
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i32 %5, 4
  %26 = getelementptr inbounds i8, ptr %20, i64 8
  store { ptr, i64, i32, ptr, i32 } %25, ptr %26, align 8
  musttail call tailcc void @mim.closure.8(i64 0, i32 0, ptr nonnull %20) #0
  ret void

bb1.i.i.i.i.i.i:                                  ; preds = %bb.i.i.i.i
  %27 = load i64, ptr %0, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %mim.main.1.exit, label %wrong.i.i.i

wrong.i.i.i:                                      ; preds = %bb1.i.i.i.i.i.i
  tail call void @llvm.trap()
  unreachable

bb1.i.i.i.i:                                      ; preds = %bb.i.i
  %29 = load i64, ptr %0, align 8
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %mim.main.1.exit, label %wrong.i.i1.i

wrong.i.i1.i:                                     ; preds = %bb1.i.i.i.i
  tail call void @llvm.trap()
  unreachable

bb1.i.i:                                          ; preds = %entry
  %31 = load i64, ptr %0, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %mim.main.1.exit, label %wrong.i.i3.i

wrong.i.i3.i:                                     ; preds = %bb1.i.i
  tail call void @llvm.trap()
  unreachable

mim.main.1.exit:                                  ; preds = %bb1.i.i.i.i.i.i, %bb1.i.i.i.i, %bb1.i.i
  store i64 1, ptr %0, align 8
  %33 = getelementptr inbounds i8, ptr %0, i64 8
  store i32 5, ptr %33, align 4
  ret void
}

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #1

; Function Attrs: nounwind memory(readwrite, inaccessiblemem: write)
define internal tailcc void @mim.closure.2(i32 %0, ptr nocapture readonly %1) #2 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = load i64, ptr %3, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %mim.lam.exit, label %wrong.i

wrong.i:                                          ; preds = %entry
  tail call void @llvm.trap()
  unreachable

mim.lam.exit:                                     ; preds = %entry
  store i64 1, ptr %3, align 8
  %6 = getelementptr inbounds i8, ptr %3, i64 8
  store i32 %0, ptr %6, align 4
  ret void
}

define internal tailcc void @mim.closure.4(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i32 } %4, 0
  %7 = load ptr, ptr %6, align 8
  musttail call tailcc void %7(i32 %1, ptr nonnull %6) #0
  ret void

more.i:                                           ; preds = %entry
  %8 = extractvalue { ptr, i32 } %4, 1
  %9 = icmp ult i32 %8, 2
  br i1 %9, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %10 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.6, ptr %10, align 8
  %11 = extractvalue { ptr, i32 } %4, 0
  %12 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %13 = insertvalue { ptr, i64, i32, ptr, i32 } %12, i64 %0, 1
  %14 = insertvalue { ptr, i64, i32, ptr, i32 } %13, i32 %1, 2
  %15 = insertvalue { ptr, i64, i32, ptr, i32 } %14, ptr %11, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } %15, i32 %8, 4
  %17 = getelementptr inbounds i8, ptr %10, i64 8
  store { ptr, i64, i32, ptr, i32 } %16, ptr %17, align 8
  %18 = icmp eq i32 %8, 2
  br i1 %18, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %19 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.8, ptr %19, align 8
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %10, 0
  %21 = insertvalue { ptr, i64, i32, ptr, i32 } %20, i64 0, 1
  %22 = insertvalue { ptr, i64, i32, ptr, i32 } %21, i32 0, 2
  %23 = insertvalue { ptr, i64, i32, ptr, i32 } %22, ptr %11, 3
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } %23, i32 %8, 4
  %25 = getelementptr inbounds i8, ptr %19, i64 8
  store { ptr, i64, i32, ptr, i32 } %24, ptr %25, align 8
  musttail call tailcc void @mim.closure.8(i64 0, i32 0, ptr nonnull %19) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %26 = load ptr, ptr %11, align 8
  musttail call tailcc void %26(i32 5, ptr nonnull %11) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %27 = extractvalue { ptr, i32 } %4, 0
  %28 = load ptr, ptr %27, align 8
  musttail call tailcc void %28(i32 5, ptr nonnull %27) #0
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.usub.sat.i64(i64, i64) #3

define internal tailcc void @mim.closure.6(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 3
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.8, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  musttail call tailcc void @mim.closure.8(i64 0, i32 0, ptr nonnull %14) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %22 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %23 = load ptr, ptr %22, align 8
  musttail call tailcc void %23(i32 5, ptr nonnull %22) #0
  ret void
}

define internal tailcc void @mim.closure.8(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 4
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.10, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 4
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.12, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  %30 = icmp eq i32 %12, 5
  br i1 %30, label %bb1.i.i.i.i.i, label %bb.i.i.i.i.i

bb.i.i.i.i.i:                                     ; preds = %bb.i.i.i
  %31 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.14, ptr %31, align 8
  %32 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %23, 0
  %33 = insertvalue { ptr, i64, i32, ptr, i32 } %32, i64 0, 1
  %34 = insertvalue { ptr, i64, i32, ptr, i32 } %33, i32 0, 2
  %35 = insertvalue { ptr, i64, i32, ptr, i32 } %34, ptr %15, 3
  %36 = insertvalue { ptr, i64, i32, ptr, i32 } %35, i32 %12, 4
  %37 = getelementptr inbounds i8, ptr %31, i64 8
  store { ptr, i64, i32, ptr, i32 } %36, ptr %37, align 8
  musttail call tailcc void @mim.closure.14(i64 0, i32 0, ptr nonnull %31) #0
  ret void

bb1.i.i.i.i.i:                                    ; preds = %bb.i.i.i
  %38 = load ptr, ptr %15, align 8
  musttail call tailcc void %38(i32 5, ptr nonnull %15) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %39 = load ptr, ptr %15, align 8
  musttail call tailcc void %39(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %40 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %41 = load ptr, ptr %40, align 8
  musttail call tailcc void %41(i32 5, ptr nonnull %40) #0
  ret void
}

define internal tailcc void @mim.closure.10(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 5
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.12, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 5
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.14, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  musttail call tailcc void @mim.closure.14(i64 0, i32 0, ptr nonnull %23) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %30 = load ptr, ptr %15, align 8
  musttail call tailcc void %30(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %31 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %32 = load ptr, ptr %31, align 8
  musttail call tailcc void %32(i32 5, ptr nonnull %31) #0
  ret void
}

define internal tailcc void @mim.closure.12(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 6
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.14, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  musttail call tailcc void @mim.closure.14(i64 0, i32 0, ptr nonnull %14) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %22 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %23 = load ptr, ptr %22, align 8
  musttail call tailcc void %23(i32 5, ptr nonnull %22) #0
  ret void
}

define internal tailcc void @mim.closure.14(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 7
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.16, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 7
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.18, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  %30 = icmp eq i32 %12, 8
  br i1 %30, label %bb1.i.i.i.i.i, label %bb.i.i.i.i.i

bb.i.i.i.i.i:                                     ; preds = %bb.i.i.i
  %31 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.20, ptr %31, align 8
  %32 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %23, 0
  %33 = insertvalue { ptr, i64, i32, ptr, i32 } %32, i64 0, 1
  %34 = insertvalue { ptr, i64, i32, ptr, i32 } %33, i32 0, 2
  %35 = insertvalue { ptr, i64, i32, ptr, i32 } %34, ptr %15, 3
  %36 = insertvalue { ptr, i64, i32, ptr, i32 } %35, i32 %12, 4
  %37 = getelementptr inbounds i8, ptr %31, i64 8
  store { ptr, i64, i32, ptr, i32 } %36, ptr %37, align 8
  musttail call tailcc void @mim.closure.20(i64 0, i32 0, ptr nonnull %31) #0
  ret void

bb1.i.i.i.i.i:                                    ; preds = %bb.i.i.i
  %38 = load ptr, ptr %15, align 8
  musttail call tailcc void %38(i32 5, ptr nonnull %15) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %39 = load ptr, ptr %15, align 8
  musttail call tailcc void %39(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %40 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %41 = load ptr, ptr %40, align 8
  musttail call tailcc void %41(i32 5, ptr nonnull %40) #0
  ret void
}

define internal tailcc void @mim.closure.16(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 8
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.18, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 8
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.20, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  musttail call tailcc void @mim.closure.20(i64 0, i32 0, ptr nonnull %23) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %30 = load ptr, ptr %15, align 8
  musttail call tailcc void %30(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %31 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %32 = load ptr, ptr %31, align 8
  musttail call tailcc void %32(i32 5, ptr nonnull %31) #0
  ret void
}

define internal tailcc void @mim.closure.18(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 9
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.20, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  musttail call tailcc void @mim.closure.20(i64 0, i32 0, ptr nonnull %14) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %22 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %23 = load ptr, ptr %22, align 8
  musttail call tailcc void %23(i32 5, ptr nonnull %22) #0
  ret void
}

define internal tailcc void @mim.closure.20(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 10
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.22, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 10
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.24, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  %30 = icmp eq i32 %12, 11
  br i1 %30, label %bb1.i.i.i.i.i, label %bb.i.i.i.i.i

bb.i.i.i.i.i:                                     ; preds = %bb.i.i.i
  %31 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.26, ptr %31, align 8
  %32 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %23, 0
  %33 = insertvalue { ptr, i64, i32, ptr, i32 } %32, i64 0, 1
  %34 = insertvalue { ptr, i64, i32, ptr, i32 } %33, i32 0, 2
  %35 = insertvalue { ptr, i64, i32, ptr, i32 } %34, ptr %15, 3
  %36 = insertvalue { ptr, i64, i32, ptr, i32 } %35, i32 %12, 4
  %37 = getelementptr inbounds i8, ptr %31, i64 8
  store { ptr, i64, i32, ptr, i32 } %36, ptr %37, align 8
  musttail call tailcc void @mim.closure.26(i64 0, i32 0, ptr nonnull %31) #0
  ret void

bb1.i.i.i.i.i:                                    ; preds = %bb.i.i.i
  %38 = load ptr, ptr %15, align 8
  musttail call tailcc void %38(i32 5, ptr nonnull %15) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %39 = load ptr, ptr %15, align 8
  musttail call tailcc void %39(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %40 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %41 = load ptr, ptr %40, align 8
  musttail call tailcc void %41(i32 5, ptr nonnull %40) #0
  ret void
}

define internal tailcc void @mim.closure.22(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 11
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.24, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  %22 = icmp eq i32 %12, 11
  br i1 %22, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %bb.i
  %23 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.26, ptr %23, align 8
  %24 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %14, 0
  %25 = insertvalue { ptr, i64, i32, ptr, i32 } %24, i64 0, 1
  %26 = insertvalue { ptr, i64, i32, ptr, i32 } %25, i32 0, 2
  %27 = insertvalue { ptr, i64, i32, ptr, i32 } %26, ptr %15, 3
  %28 = insertvalue { ptr, i64, i32, ptr, i32 } %27, i32 %12, 4
  %29 = getelementptr inbounds i8, ptr %23, i64 8
  store { ptr, i64, i32, ptr, i32 } %28, ptr %29, align 8
  musttail call tailcc void @mim.closure.26(i64 0, i32 0, ptr nonnull %23) #0
  ret void

bb1.i.i.i:                                        ; preds = %bb.i
  %30 = load ptr, ptr %15, align 8
  musttail call tailcc void %30(i32 5, ptr nonnull %15) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %31 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %32 = load ptr, ptr %31, align 8
  musttail call tailcc void %32(i32 5, ptr nonnull %31) #0
  ret void
}

define internal tailcc void @mim.closure.24(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 12
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.26, ptr %14, align 8
  %15 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %16 = insertvalue { ptr, i64, i32, ptr, i32 } undef, ptr %2, 0
  %17 = insertvalue { ptr, i64, i32, ptr, i32 } %16, i64 %0, 1
  %18 = insertvalue { ptr, i64, i32, ptr, i32 } %17, i32 %1, 2
  %19 = insertvalue { ptr, i64, i32, ptr, i32 } %18, ptr %15, 3
  %20 = insertvalue { ptr, i64, i32, ptr, i32 } %19, i32 %12, 4
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  store { ptr, i64, i32, ptr, i32 } %20, ptr %21, align 8
  musttail call tailcc void @mim.closure.26(i64 0, i32 0, ptr nonnull %14) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %22 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %23 = load ptr, ptr %22, align 8
  musttail call tailcc void %23(i32 5, ptr nonnull %22) #0
  ret void
}

define internal tailcc void @mim.closure.26(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i32 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 4
  %13 = icmp ult i32 %12, 13
  br i1 %13, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %more.i
  %14 = zext i32 %12 to i64
  %15 = add nsw i64 %14, -12
  %16 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.28, ptr %16, align 8
  %17 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %18 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %2, 0
  %19 = insertvalue { ptr, i64, i32, ptr, i64 } %18, i64 %0, 1
  %20 = insertvalue { ptr, i64, i32, ptr, i64 } %19, i32 %1, 2
  %21 = insertvalue { ptr, i64, i32, ptr, i64 } %20, ptr %17, 3
  %22 = insertvalue { ptr, i64, i32, ptr, i64 } %21, i64 %15, 4
  %23 = getelementptr inbounds i8, ptr %16, i64 8
  store { ptr, i64, i32, ptr, i64 } %22, ptr %23, align 8
  %24 = icmp ult i64 %15, 2
  br i1 %24, label %bb2.i.i.i, label %bb1.i.i.i

bb1.i.i.i:                                        ; preds = %bb.i
  %25 = add nsw i64 %14, -13
  %26 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.30, ptr %26, align 8
  %27 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %16, 0
  %28 = insertvalue { ptr, i64, i32, ptr, i64 } %27, i64 0, 1
  %29 = insertvalue { ptr, i64, i32, ptr, i64 } %28, i32 0, 2
  %30 = insertvalue { ptr, i64, i32, ptr, i64 } %29, ptr %17, 3
  %31 = insertvalue { ptr, i64, i32, ptr, i64 } %30, i64 %25, 4
  %32 = getelementptr inbounds i8, ptr %26, i64 8
  store { ptr, i64, i32, ptr, i64 } %31, ptr %32, align 8
  musttail call tailcc void @mim.closure.30(i64 0, i32 0, ptr nonnull %26) #0
  ret void

bb2.i.i.i:                                        ; preds = %bb.i
  %33 = load ptr, ptr %17, align 8
  musttail call tailcc void %33(i32 5, ptr nonnull %17) #0
  ret void

bb1.i:                                            ; preds = %more.i
  %34 = extractvalue { ptr, i64, i32, ptr, i32 } %4, 3
  %35 = load ptr, ptr %34, align 8
  musttail call tailcc void %35(i32 5, ptr nonnull %34) #0
  ret void
}

define internal tailcc void @mim.closure.28(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i64 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %bb.i

bb.i:                                             ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 4
  %13 = icmp ult i64 %12, 2
  br i1 %13, label %bb2.i, label %bb1.i

bb1.i:                                            ; preds = %more.i
  %14 = add i64 %12, -1
  %15 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.30, ptr %15, align 8
  %16 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %17 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %2, 0
  %18 = insertvalue { ptr, i64, i32, ptr, i64 } %17, i64 %0, 1
  %19 = insertvalue { ptr, i64, i32, ptr, i64 } %18, i32 %1, 2
  %20 = insertvalue { ptr, i64, i32, ptr, i64 } %19, ptr %16, 3
  %21 = insertvalue { ptr, i64, i32, ptr, i64 } %20, i64 %14, 4
  %22 = getelementptr inbounds i8, ptr %15, i64 8
  store { ptr, i64, i32, ptr, i64 } %21, ptr %22, align 8
  musttail call tailcc void @mim.closure.30(i64 0, i32 0, ptr nonnull %15) #0
  ret void

bb2.i:                                            ; preds = %more.i
  %23 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %24 = load ptr, ptr %23, align 8
  musttail call tailcc void %24(i32 5, ptr nonnull %23) #0
  ret void
}

define internal tailcc void @mim.closure.30(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i64 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %bb.i

bb.i:                                             ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 4
  %13 = icmp ult i64 %12, 2
  br i1 %13, label %bb2.i, label %bb1.i

bb1.i:                                            ; preds = %more.i
  %14 = add i64 %12, -1
  %15 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.32, ptr %15, align 8
  %16 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %17 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %2, 0
  %18 = insertvalue { ptr, i64, i32, ptr, i64 } %17, i64 %0, 1
  %19 = insertvalue { ptr, i64, i32, ptr, i64 } %18, i32 %1, 2
  %20 = insertvalue { ptr, i64, i32, ptr, i64 } %19, ptr %16, 3
  %21 = insertvalue { ptr, i64, i32, ptr, i64 } %20, i64 %14, 4
  %22 = getelementptr inbounds i8, ptr %15, i64 8
  store { ptr, i64, i32, ptr, i64 } %21, ptr %22, align 8
  %23 = icmp eq i64 %12, 2
  br i1 %23, label %bb2.i.i.i, label %bb1.i.i.i

bb1.i.i.i:                                        ; preds = %bb1.i
  %24 = add i64 %12, -2
  %25 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.34, ptr %25, align 8
  %26 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %15, 0
  %27 = insertvalue { ptr, i64, i32, ptr, i64 } %26, i64 0, 1
  %28 = insertvalue { ptr, i64, i32, ptr, i64 } %27, i32 0, 2
  %29 = insertvalue { ptr, i64, i32, ptr, i64 } %28, ptr %16, 3
  %30 = insertvalue { ptr, i64, i32, ptr, i64 } %29, i64 %24, 4
  %31 = getelementptr inbounds i8, ptr %25, i64 8
  store { ptr, i64, i32, ptr, i64 } %30, ptr %31, align 8
  musttail call tailcc void @mim.closure.34(i64 0, i32 0, ptr nonnull %25) #0
  ret void

bb2.i.i.i:                                        ; preds = %bb1.i
  %32 = load ptr, ptr %16, align 8
  musttail call tailcc void %32(i32 5, ptr nonnull %16) #0
  ret void

bb2.i:                                            ; preds = %more.i
  %33 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %34 = load ptr, ptr %33, align 8
  musttail call tailcc void %34(i32 5, ptr nonnull %33) #0
  ret void
}

define internal tailcc void @mim.closure.32(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i64 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %bb.i

bb.i:                                             ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 4
  %13 = icmp ult i64 %12, 2
  br i1 %13, label %bb2.i, label %bb1.i

bb1.i:                                            ; preds = %more.i
  %14 = add i64 %12, -1
  %15 = tail call noalias ptr @mim_collect_closure(i64 48) #5
  store ptr @mim.closure.34, ptr %15, align 8
  %16 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %17 = insertvalue { ptr, i64, i32, ptr, i64 } undef, ptr %2, 0
  %18 = insertvalue { ptr, i64, i32, ptr, i64 } %17, i64 %0, 1
  %19 = insertvalue { ptr, i64, i32, ptr, i64 } %18, i32 %1, 2
  %20 = insertvalue { ptr, i64, i32, ptr, i64 } %19, ptr %16, 3
  %21 = insertvalue { ptr, i64, i32, ptr, i64 } %20, i64 %14, 4
  %22 = getelementptr inbounds i8, ptr %15, i64 8
  store { ptr, i64, i32, ptr, i64 } %21, ptr %22, align 8
  musttail call tailcc void @mim.closure.34(i64 0, i32 0, ptr nonnull %15) #0
  ret void

bb2.i:                                            ; preds = %more.i
  %23 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %24 = load ptr, ptr %23, align 8
  musttail call tailcc void %24(i32 5, ptr nonnull %23) #0
  ret void
}

define internal tailcc void @mim.closure.34(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load { ptr, i64, i32, ptr, i64 }, ptr %3, align 8
  %5 = icmp ult i64 %0, 3
  br i1 %5, label %more.i, label %bb.i

bb.i:                                             ; preds = %entry
  %6 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 1
  %7 = add i64 %6, 1
  %8 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 2
  %9 = add i32 %8, %1
  %10 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 0
  %11 = load ptr, ptr %10, align 8
  musttail call tailcc void %11(i64 %7, i32 %9, ptr nonnull %10) #0
  ret void

more.i:                                           ; preds = %entry
  %12 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 4
  %13 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.36, ptr %13, align 8
  %14 = insertvalue { ptr, i64, i32 } undef, ptr %2, 0
  %15 = insertvalue { ptr, i64, i32 } %14, i64 %0, 1
  %16 = insertvalue { ptr, i64, i32 } %15, i32 %1, 2
  %17 = getelementptr inbounds i8, ptr %13, i64 8
  store { ptr, i64, i32 } %16, ptr %17, align 8
  %18 = tail call noalias ptr @mim_collect_closure(i64 16) #5
  store ptr @mim.closure.37, ptr %18, align 8
  %19 = extractvalue { ptr, i64, i32, ptr, i64 } %4, 3
  %20 = getelementptr inbounds i8, ptr %18, i64 8
  store ptr %19, ptr %20, align 8
  %21 = icmp ult i64 %12, 2
  br i1 %21, label %bb1.i.i.i, label %bb.i.i.i

bb.i.i.i:                                         ; preds = %more.i
  %22 = add i64 %12, -1
  %23 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %23, i64 8
  store ptr %13, ptr %24, align 8
  %.repack2.i.i.i = getelementptr inbounds i8, ptr %23, i64 16
  store ptr %18, ptr %.repack2.i.i.i, align 8
  %.repack4.i.i.i = getelementptr inbounds i8, ptr %23, i64 24
  store i64 %22, ptr %.repack4.i.i.i, align 8
  %25 = add i64 %12, -2
  %26 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %26, align 8
  %27 = insertvalue { ptr, i64, i32 } undef, ptr %23, 0
  %28 = insertvalue { ptr, i64, i32 } %27, i64 0, 1
  %29 = insertvalue { ptr, i64, i32 } %28, i32 0, 2
  %30 = getelementptr inbounds i8, ptr %26, i64 8
  store { ptr, i64, i32 } %29, ptr %30, align 8
  %31 = icmp eq i64 %25, 0
  br i1 %31, label %bb1.i.i4.i, label %bb.i.i1.i

bb.i.i1.i:                                        ; preds = %bb.i.i.i
  %32 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %32, align 8
  %33 = getelementptr inbounds i8, ptr %32, i64 8
  store ptr %26, ptr %33, align 8
  %.repack2.i.i2.i = getelementptr inbounds i8, ptr %32, i64 16
  store ptr %18, ptr %.repack2.i.i2.i, align 8
  %.repack4.i.i3.i = getelementptr inbounds i8, ptr %32, i64 24
  store i64 %25, ptr %.repack4.i.i3.i, align 8
  %34 = add i64 %12, -3
  %35 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %35, align 8
  %36 = insertvalue { ptr, i64, i32 } undef, ptr %32, 0
  %37 = insertvalue { ptr, i64, i32 } %36, i64 0, 1
  %38 = insertvalue { ptr, i64, i32 } %37, i32 0, 2
  %39 = getelementptr inbounds i8, ptr %35, i64 8
  store { ptr, i64, i32 } %38, ptr %39, align 8
  %40 = icmp eq i64 %34, 0
  br i1 %40, label %bb1.i.i8.i, label %bb.i.i5.i

bb.i.i5.i:                                        ; preds = %bb.i.i1.i
  %41 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %41, i64 8
  store ptr %35, ptr %42, align 8
  %.repack2.i.i6.i = getelementptr inbounds i8, ptr %41, i64 16
  store ptr %18, ptr %.repack2.i.i6.i, align 8
  %.repack4.i.i7.i = getelementptr inbounds i8, ptr %41, i64 24
  store i64 %34, ptr %.repack4.i.i7.i, align 8
  %43 = add i64 %12, -4
  %44 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %44, align 8
  %45 = insertvalue { ptr, i64, i32 } undef, ptr %41, 0
  %46 = insertvalue { ptr, i64, i32 } %45, i64 0, 1
  %47 = insertvalue { ptr, i64, i32 } %46, i32 0, 2
  %48 = getelementptr inbounds i8, ptr %44, i64 8
  store { ptr, i64, i32 } %47, ptr %48, align 8
  %49 = icmp eq i64 %43, 0
  br i1 %49, label %bb1.i.i12.i, label %bb.i.i9.i

bb.i.i9.i:                                        ; preds = %bb.i.i5.i
  %50 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %50, align 8
  %51 = getelementptr inbounds i8, ptr %50, i64 8
  store ptr %44, ptr %51, align 8
  %.repack2.i.i10.i = getelementptr inbounds i8, ptr %50, i64 16
  store ptr %18, ptr %.repack2.i.i10.i, align 8
  %.repack4.i.i11.i = getelementptr inbounds i8, ptr %50, i64 24
  store i64 %43, ptr %.repack4.i.i11.i, align 8
  %52 = add i64 %12, -5
  %53 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %53, align 8
  %54 = insertvalue { ptr, i64, i32 } undef, ptr %50, 0
  %55 = insertvalue { ptr, i64, i32 } %54, i64 0, 1
  %56 = insertvalue { ptr, i64, i32 } %55, i32 0, 2
  %57 = getelementptr inbounds i8, ptr %53, i64 8
  store { ptr, i64, i32 } %56, ptr %57, align 8
  %58 = icmp eq i64 %52, 0
  br i1 %58, label %bb1.i.i16.i, label %bb.i.i13.i

bb.i.i13.i:                                       ; preds = %bb.i.i9.i
  %59 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %59, align 8
  %60 = getelementptr inbounds i8, ptr %59, i64 8
  store ptr %53, ptr %60, align 8
  %.repack2.i.i14.i = getelementptr inbounds i8, ptr %59, i64 16
  store ptr %18, ptr %.repack2.i.i14.i, align 8
  %.repack4.i.i15.i = getelementptr inbounds i8, ptr %59, i64 24
  store i64 %52, ptr %.repack4.i.i15.i, align 8
  %61 = add i64 %12, -6
  %62 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %62, align 8
  %63 = insertvalue { ptr, i64, i32 } undef, ptr %59, 0
  %64 = insertvalue { ptr, i64, i32 } %63, i64 0, 1
  %65 = insertvalue { ptr, i64, i32 } %64, i32 0, 2
  %66 = getelementptr inbounds i8, ptr %62, i64 8
  store { ptr, i64, i32 } %65, ptr %66, align 8
  %67 = icmp eq i64 %61, 0
  br i1 %67, label %bb1.i.i, label %bb.i.i

bb.i.i:                                           ; preds = %bb.i.i13.i
  %68 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %68, align 8
  %69 = getelementptr inbounds i8, ptr %68, i64 8
  store ptr %62, ptr %69, align 8
  %.repack2.i.i = getelementptr inbounds i8, ptr %68, i64 16
  store ptr %18, ptr %.repack2.i.i, align 8
  %.repack4.i.i = getelementptr inbounds i8, ptr %68, i64 24
  store i64 %61, ptr %.repack4.i.i, align 8
  %70 = add i64 %12, -7
  %71 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %71, align 8
  %72 = insertvalue { ptr, i64, i32 } undef, ptr %68, 0
  %73 = insertvalue { ptr, i64, i32 } %72, i64 0, 1
  %74 = insertvalue { ptr, i64, i32 } %73, i32 0, 2
  %75 = getelementptr inbounds i8, ptr %71, i64 8
  store { ptr, i64, i32 } %74, ptr %75, align 8
  %76 = icmp eq i64 %70, 0
  br i1 %76, label %bb1.i.i4, label %bb.i.i1

bb.i.i1:                                          ; preds = %bb.i.i
  %77 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %77, align 8
  %78 = getelementptr inbounds i8, ptr %77, i64 8
  store ptr %71, ptr %78, align 8
  %.repack2.i.i2 = getelementptr inbounds i8, ptr %77, i64 16
  store ptr %18, ptr %.repack2.i.i2, align 8
  %.repack4.i.i3 = getelementptr inbounds i8, ptr %77, i64 24
  store i64 %70, ptr %.repack4.i.i3, align 8
  %79 = add i64 %12, -8
  %80 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %80, align 8
  %81 = insertvalue { ptr, i64, i32 } undef, ptr %77, 0
  %82 = insertvalue { ptr, i64, i32 } %81, i64 0, 1
  %83 = insertvalue { ptr, i64, i32 } %82, i32 0, 2
  %84 = getelementptr inbounds i8, ptr %80, i64 8
  store { ptr, i64, i32 } %83, ptr %84, align 8
  %85 = insertvalue { i64, ptr } undef, i64 %79, 0
  %86 = insertvalue { i64, ptr } %85, ptr %80, 1
  musttail call tailcc void @mim.closure.37({ i64, ptr } %86, ptr nonnull %18) #0
  ret void

bb1.i.i4:                                         ; preds = %bb.i.i
  %87 = load ptr, ptr %19, align 8
  musttail call tailcc void %87(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i:                                          ; preds = %bb.i.i13.i
  %88 = load ptr, ptr %19, align 8
  musttail call tailcc void %88(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i16.i:                                      ; preds = %bb.i.i9.i
  %89 = load ptr, ptr %19, align 8
  musttail call tailcc void %89(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i12.i:                                      ; preds = %bb.i.i5.i
  %90 = load ptr, ptr %19, align 8
  musttail call tailcc void %90(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i8.i:                                       ; preds = %bb.i.i1.i
  %91 = load ptr, ptr %19, align 8
  musttail call tailcc void %91(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i4.i:                                       ; preds = %bb.i.i.i
  %92 = load ptr, ptr %19, align 8
  musttail call tailcc void %92(i32 5, ptr nonnull %19) #0
  ret void

bb1.i.i.i:                                        ; preds = %more.i
  %93 = load ptr, ptr %19, align 8
  musttail call tailcc void %93(i32 5, ptr nonnull %19) #0
  ret void
}

define internal tailcc void @mim.closure.36(i32 %0, ptr nocapture readonly %1) {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 8
  %3 = load { ptr, i64, i32 }, ptr %2, align 8
  %4 = extractvalue { ptr, i64, i32 } %3, 1
  %5 = add i64 %4, 1
  %6 = extractvalue { ptr, i64, i32 } %3, 2
  %7 = add i32 %6, %0
  %8 = extractvalue { ptr, i64, i32 } %3, 0
  %9 = load ptr, ptr %8, align 8
  musttail call tailcc void %9(i64 %5, i32 %7, ptr nonnull %8) #0
  ret void
}

define internal tailcc void @mim.closure.37({ i64, ptr } %0, ptr %1) {
entry:
  %2 = extractvalue { i64, ptr } %0, 0
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %bb1.i, label %bb.i

bb.i:                                             ; preds = %entry
  %4 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.39, ptr %4, align 8
  %5 = extractvalue { i64, ptr } %0, 1
  %6 = getelementptr inbounds i8, ptr %4, i64 8
  store ptr %5, ptr %6, align 8
  %.repack2.i = getelementptr inbounds i8, ptr %4, i64 16
  store ptr %1, ptr %.repack2.i, align 8
  %.repack4.i = getelementptr inbounds i8, ptr %4, i64 24
  store i64 %2, ptr %.repack4.i, align 8
  %7 = add i64 %2, -1
  %8 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %8, align 8
  %9 = insertvalue { ptr, i64, i32 } undef, ptr %4, 0
  %10 = insertvalue { ptr, i64, i32 } %9, i64 0, 1
  %11 = insertvalue { ptr, i64, i32 } %10, i32 0, 2
  %12 = getelementptr inbounds i8, ptr %8, i64 8
  store { ptr, i64, i32 } %11, ptr %12, align 8
  %13 = insertvalue { i64, ptr } undef, i64 %7, 0
  %14 = insertvalue { i64, ptr } %13, ptr %8, 1
  %15 = load ptr, ptr %1, align 8
  musttail call tailcc void %15({ i64, ptr } %14, ptr nonnull %1) #0
  ret void

bb1.i:                                            ; preds = %entry
  %16 = getelementptr inbounds i8, ptr %1, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = load ptr, ptr %17, align 8
  musttail call tailcc void %18(i32 5, ptr nonnull %17) #0
  ret void
}

define internal tailcc void @mim.closure.39(i64 %0, i32 %1, ptr %2) {
entry:
  %3 = icmp ult i64 %0, 3
  br i1 %3, label %more.i, label %done.i

done.i:                                           ; preds = %entry
  %4 = getelementptr inbounds i8, ptr %2, i64 8
  %.unpack = load ptr, ptr %4, align 8
  %5 = load ptr, ptr %.unpack, align 8
  musttail call tailcc void %5(i32 %1, ptr nonnull %.unpack) #0
  ret void

more.i:                                           ; preds = %entry
  %.elt3 = getelementptr inbounds i8, ptr %2, i64 24
  %.unpack4 = load i64, ptr %.elt3, align 8
  %.elt1 = getelementptr inbounds i8, ptr %2, i64 16
  %.unpack2 = load ptr, ptr %.elt1, align 8
  %6 = tail call i64 @llvm.usub.sat.i64(i64 %.unpack4, i64 1)
  %7 = tail call noalias ptr @mim_collect_closure(i64 32) #5
  store ptr @mim.closure.41, ptr %7, align 8
  %8 = insertvalue { ptr, i64, i32 } undef, ptr %2, 0
  %9 = insertvalue { ptr, i64, i32 } %8, i64 %0, 1
  %10 = insertvalue { ptr, i64, i32 } %9, i32 %1, 2
  %11 = getelementptr inbounds i8, ptr %7, i64 8
  store { ptr, i64, i32 } %10, ptr %11, align 8
  %12 = insertvalue { i64, ptr } undef, i64 %6, 0
  %13 = insertvalue { i64, ptr } %12, ptr %7, 1
  %14 = load ptr, ptr %.unpack2, align 8
  musttail call tailcc void %14({ i64, ptr } %13, ptr nonnull %.unpack2) #0
  ret void
}

define internal tailcc void @mim.closure.41(i32 %0, ptr nocapture readonly %1) {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 8
  %3 = load { ptr, i64, i32 }, ptr %2, align 8
  %4 = extractvalue { ptr, i64, i32 } %3, 1
  %5 = add i64 %4, 1
  %6 = extractvalue { ptr, i64, i32 } %3, 2
  %7 = add i32 %6, %0
  %8 = extractvalue { ptr, i64, i32 } %3, 0
  %9 = load ptr, ptr %8, align 8
  musttail call tailcc void %9(i64 %5, i32 %7, ptr nonnull %8) #0
  ret void
}

attributes #0 = { nounwind }
attributes #1 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #2 = { nounwind memory(readwrite, inaccessiblemem: write) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { noinline }
attributes #5 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
