package dev.sluice.benchmarks.call;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The two functions that are called, through the Foreign Function and Memory API. */
final class ForeignFunctions {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor ABS = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final FunctionDescriptor LSEEK = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);

    private ForeignFunctions() {
    }

    static MethodHandle abs(Linker.Option... options) {
        return link("abs", ABS, options);
    }

    static MethodHandle lseek(Linker.Option... options) {
        return link("lseek", LSEEK, options);
    }

    private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), type, options);
    }

    /** {@return where calls that capture the error number leave it} */
    static MemoryLayout callState() {
        return Linker.Option.captureStateLayout();
    }

    /** {@return what makes a call capture the error number} */
    static Linker.Option capturing() {
        return Linker.Option.captureCallState("errno");
    }

    /** {@return what makes a call that never blocks cheaper} */
    static Linker.Option critical() {
        return Linker.Option.critical(false);
    }
}
