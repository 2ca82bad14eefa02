package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class CFunctionsTest {

    @Test
    void functionThatTheLibraryLacksIsNotImplemented() throws Throwable {
        MethodHandle lacking = CFunctions.function("sluice_of_no_library", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        MemorySegment state = CallState.current();
        assertEquals(-1, (int) lacking.invokeExact(state, 1L));
        assertEquals(-Errno.ENOSYS.number(), CallState.negatedErrno(state));
    }

    @Test
    void lackingFunctionMayReturnALong() throws Throwable {
        MethodHandle lacking = CFunctions.variadic("sluice_of_no_library", 1,
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT));
        MemorySegment state = CallState.current();
        assertEquals(-1L, (long) lacking.invokeExact(state, 1, 2));
        assertEquals(-Errno.ENOSYS.number(), CallState.negatedErrno(state));
    }

    @Test
    void unexpectedFailuresKeepTheirKind() {
        Error error = new StackOverflowError();
        assertSame(error, assertThrows(StackOverflowError.class, () -> CFunctions.unexpected(error)));
        RuntimeException bug = new IllegalStateException();
        assertSame(bug, CFunctions.unexpected(bug));
        Exception checked = new Exception();
        assertSame(checked, CFunctions.unexpected(checked).getCause());
    }
}
