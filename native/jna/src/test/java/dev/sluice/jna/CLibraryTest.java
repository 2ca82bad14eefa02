package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.SmallJvm;
import dev.sluice.testing.Depth;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

@Tag(Depth.BINDING)
class CLibraryTest {

    /** What every library has, and what none has. */
    private static final class Mixed {

        static native int getppid();

        static native int sluice_of_no_library(long argument);

        static native long sluice_of_no_library_either(int first, int second, long third);
    }

    @Test
    void functionThatTheLibraryLacksIsNotImplementedAndTheOthersAre() {
        CLibrary.register(Mixed.class, "c");
        assertTrue(Failure.unlessNegative(Mixed.getppid()) >= 0);
        assertEquals(-Errno.ENOSYS.number(), Failure.unlessNegative(Mixed.sluice_of_no_library(-1)));
        assertEquals(-Errno.ENOSYS.number(), Failure.unlessNegative(Mixed.sluice_of_no_library_either(1, 2, 3)));
    }

    @Test
    void libraryThatIsNotThereIsAnError() {
        assertThrows(UnsatisfiedLinkError.class, () -> CLibrary.register(Mixed.class, "sluice_of_no_system"));
    }

    /** In a process of its own, which has no other calls then. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void everyFunctionMayBeLacking() throws Exception {
        List<String> said = SmallJvm.run(LackingFunctions.class, List.of(CodeLocation.of(CLibrary.class),
                CodeLocation.of(CLibraryTest.class), CodeLocation.of(Posix.class), CodeLocation.of(SmallJvm.class),
                CodeLocation.of(Native.class), CodeLocation.of(LoggerFactory.class)));
        assertTrue(said.size() > 50, said::toString);
        List<String> others = said.stream().filter(line -> !line.endsWith(" -" + Errno.ENOSYS.number())).toList();
        assertEquals(List.of("close -" + Errno.EBADF.number(), "epoll_create1 -" + Errno.EINVAL.number()), others);
    }
}
