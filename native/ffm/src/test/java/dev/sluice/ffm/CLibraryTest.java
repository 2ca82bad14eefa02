package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.SmallJvm;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.testing.Depth;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

@Tag(Depth.IN_QUICK)
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
    void functionThatTheLibraryLacksIsNotImplemented() {
        ForeignFunction lacking = CLibrary.standard(Lacking.class).function("sluice_of_no_library");
        assertEquals(-Errno.ENOSYS.number(), lacking.call(1));
    }

    /** Each function is looked up by itself, so that one that is lacking takes no other with it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void everyFunctionMayBeLacking() throws Exception {
        List<String> said = SmallJvm.run(LackingFunctions.class, List.of(CodeLocation.of(CLibrary.class),
                CodeLocation.of(CLibraryTest.class), CodeLocation.of(Posix.class), CodeLocation.of(SmallJvm.class),
                CodeLocation.of(LoggerFactory.class)), "--enable-native-access=ALL-UNNAMED");
        assertTrue(said.size() > 50, said::toString);
        List<String> others = said.stream().filter(line -> !line.endsWith(" -" + Errno.ENOSYS.number())).toList();
        assertEquals(List.of("close -" + Errno.EBADF.number(), "epoll_create1 -" + Errno.EINVAL.number()), others);
    }

    @Test
    void lackingFunctionMayBeVariadic() {
        ForeignFunction lacking = CLibrary.standard(Lacking.class).variadic("sluice_of_no_library_either", 1);
        assertEquals(-Errno.ENOSYS.number(), lacking.call(1, 2));
    }

    @Test
    void libraryThatTheSystemLacksLacksItsFunctions() throws Throwable {
        CLibrary lacking = CLibrary.named("sluice_of_no_system", Lacking.class);
        assertEquals(-Errno.ENOSYS.number(), lacking.function("sluice_of_no_library", Failure.ZERO).call(1));
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

    @Test
    void shortageThatKeepsAHandleFromBeingCompiledIsThrownAsItIs() {
        Error shortage = new OutOfMemoryError();
        RuntimeException wrapped = new RuntimeException(new InternalError(new Exception(shortage)));
        assertSame(shortage, assertThrows(OutOfMemoryError.class, () -> CLibrary.unexpected(wrapped)));
    }
}
