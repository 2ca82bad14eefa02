package dev.sluice.ffm;

import dev.sluice.calls.layout.Win32Constants;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** How a C function reports failure. */
enum Failure {

    /**
     * By -1, which is {@code SOCKET_ERROR}, {@code INVALID_SOCKET}, {@code INVALID_HANDLE_VALUE} and
     * {@code WAIT_FAILED} too.
     */
    MINUS_ONE,
    /** By 0, which is {@code FALSE} and {@code NULL}. */
    ZERO,
    /** By returning the error number. */
    NUMBER,
    /** By returning an {@code NTSTATUS}, which is not translated. */
    STATUS,
    /** The function does not fail. */
    NEVER;

    private static final Linker.Option[] NO_OPTIONS = {};

    /** {@return whether the error number has to be captured: then a call takes {@link CallState#CURRENT}} */
    boolean isCaptured() {
        return this == MINUS_ONE || this == ZERO;
    }

    Linker.Option[] options() {
        return isCaptured() ? new Linker.Option[] {CallState.CAPTURE} : NO_OPTIONS;
    }

    /** Makes a call return the negated error, if the function returns the error. */
    MethodHandle checked(MethodHandle call) {
        return this == NUMBER
                ? MethodHandles.filterReturnValue(call, find(Failure.class, "negated", int.class, int.class))
                : call;
    }

    /** Returns the replacement of a function that the system lacks: a handle without parameters. */
    MethodHandle ofAbsence(Class<?> result) {
        int value = this == STATUS ? Win32Constants.STATUS_NOT_IMPLEMENTED : -CallState.NOT_IMPLEMENTED;
        return MethodHandles.explicitCastArguments(MethodHandles.constant(int.class, value),
                MethodType.methodType(result));
    }

    private static MethodHandle find(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.lookup().findStatic(type, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static int negated(int number) {
        return -number;
    }
}
