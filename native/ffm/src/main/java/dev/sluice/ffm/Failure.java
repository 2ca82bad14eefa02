package dev.sluice.ffm;

import dev.sluice.calls.layout.Win32Constants;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/** How a C function reports failure. */
enum Failure {

    /**
     * By -1, which is {@code SOCKET_ERROR}, {@code INVALID_SOCKET}, {@code INVALID_HANDLE_VALUE} and
     * {@code WAIT_FAILED} too.
     */
    MINUS_ONE("unlessMinusOne"),
    /** By 0, which is {@code FALSE} and {@code NULL}. */
    ZERO("unlessZero"),
    /** By returning the error number. */
    NUMBER(null),
    /** By returning an {@code NTSTATUS}, which is not translated. */
    STATUS(null),
    /** Not at all. */
    NEVER(null);

    private static final Linker.Option[] NO_OPTIONS = {};

    private final String check;

    Failure(String check) {
        this.check = check;
    }

    Linker.Option[] options() {
        return check != null ? new Linker.Option[] {CallState.CAPTURE} : NO_OPTIONS;
    }

    /**
     * Makes a downcall return the negated error where the function fails.
     *
     * @param call  linked with {@link #options}
     * @param state the index of its {@link CallState} parameter, if it has one
     * @return a handle without that parameter
     */
    MethodHandle checked(MethodHandle call, int state) {
        Class<?> result = call.type().returnType();
        if (check == null) {
            return this == NUMBER
                    ? MethodHandles.filterReturnValue(call, find(Failure.class, "negated", int.class, int.class))
                    : call;
        }
        MethodHandle verdict = find(Failure.class, check, result, result, MemorySegment.class);
        List<Class<?>> before = call.type().parameterList().subList(0, state);
        List<Class<?>> after = call.type().parameterList().subList(state + 1, call.type().parameterCount());
        MethodHandle withState = MethodHandles.foldArguments(
                MethodHandles.dropArguments(MethodHandles.dropArguments(verdict, 2, after), 1, before), call);
        return MethodHandles.collectArguments(withState, state, find(CallState.class, "current", MemorySegment.class));
    }

    /** What takes the place of a function that the system lacks: a handle without parameters. */
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

    private static int unlessMinusOne(int result, MemorySegment state) {
        return result != -1 ? result : CallState.negatedError(state);
    }

    private static long unlessMinusOne(long result, MemorySegment state) {
        return result != -1 ? result : CallState.negatedError(state);
    }

    private static int unlessZero(int result, MemorySegment state) {
        return result != 0 ? result : CallState.negatedError(state);
    }

    private static long unlessZero(long result, MemorySegment state) {
        return result != 0 ? result : CallState.negatedError(state);
    }

    private static int negated(int number) {
        return -number;
    }
}
