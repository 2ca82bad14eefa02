package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.Win32Constants;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class CLibraryTest {

    /** What no library has. */
    private interface Lacking {

        int sluice_of_no_library(long argument);

        long sluice_of_no_library_either(int first, int second);
    }

    private interface Unlinkable {

        int puts(String text);

        int getppid();

        int getppid(int overloaded);
    }

    @Test
    void functionThatTheLibraryLacksIsNotImplemented() throws Throwable {
        MethodHandle lacking = CLibrary.standard(Lacking.class).function("sluice_of_no_library").handle();
        assertEquals(-Errno.ENOSYS.number(), (int) lacking.invokeExact(CallState.current(), 1L));
    }

    @Test
    void lackingFunctionMayReturnALong() throws Throwable {
        MethodHandle lacking = CLibrary.standard(Lacking.class).variadic("sluice_of_no_library_either", 1).handle();
        assertEquals(-Errno.ENOSYS.number(), (long) lacking.invokeExact(CallState.current(), 1, 2));
    }

    @Test
    void libraryThatTheSystemLacksLacksItsFunctions() throws Throwable {
        CLibrary lacking = CLibrary.named("sluice_of_no_system", Lacking.class);
        MethodHandle function = lacking.function("sluice_of_no_library", Failure.ZERO).handle();
        assertEquals(-Errno.ENOSYS.number(), (int) function.invokeExact(CallState.current(), 1L));
        MethodHandle status = lacking.function("sluice_of_no_library", Failure.STATUS).handle();
        assertEquals(Win32Constants.STATUS_NOT_IMPLEMENTED, (int) status.invokeExact(1L));
    }

    @Test
    void linksNothingButWhatItsInterfaceDeclares() {
        assertUnlinkable(CLibrary.standard(Lacking.class).function("getpid"));
        assertUnlinkable(CLibrary.standard(Unlinkable.class).function("puts"));
        assertUnlinkable(CLibrary.standard(Unlinkable.class).function("getppid"));
    }

    private static void assertUnlinkable(ForeignFunction function) {
        assertThrows(IllegalArgumentException.class, function::handle);
    }

    @Test
    void unexpectedFailuresKeepTheirKind() {
        Error error = new StackOverflowError();
        assertSame(error, assertThrows(StackOverflowError.class, () -> CLibrary.unexpected(error)));
        RuntimeException bug = new IllegalStateException();
        assertSame(bug, CLibrary.unexpected(bug));
        Exception checked = new Exception();
        assertSame(checked, CLibrary.unexpected(checked).getCause());
    }
}
