package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.Win32Constants;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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
    void everyFunctionMayBeLacking() {
        Set<String> there = Set.of("epoll_create1", "close");
        SymbolLookup few = name -> there.contains(name) ? Linker.nativeLinker().defaultLookup().find(name)
                : Optional.empty();
        Map<String, Long> others = new TreeMap<>();
        for (Class<?> family : List.of(Posix.class, Linux.class)) {
            CLibrary library = new CLibrary(few, family);
            for (Method method : family.getDeclaredMethods()) {
                long result = Failure.unlessMinusOne((int) called(library.function(method.getName()), method));
                if (result != -Errno.ENOSYS.number()) {
                    others.put(method.getName(), result);
                }
            }
        }
        assertEquals(Map.of("close", (long) -Errno.EBADF.number(), "epoll_create1", (long) -Errno.EINVAL.number()),
                others);
    }

    private static long called(ForeignFunction function, Method method) {
        List<Object> arguments = new ArrayList<>(List.of(CallState.current()));
        for (Class<?> type : method.getParameterTypes()) {
            arguments.add(type == int.class ? -1L : 0L);
        }
        try {
            return (long) function.handle().invokeWithArguments(arguments);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
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
}
