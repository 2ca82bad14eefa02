package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Emulator;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.deadline.Deadline;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class PidfdTest extends LeakChecked {

    private static final int SIGKILL = 9;

    @TempDir
    Path directory;

    /** A child that ends, with the code 7, when it is told to. */
    private Process child() throws IOException {
        Process process = new ProcessBuilder("sh", "-c", "read x; exit 7").start();
        own(() -> {
            process.destroyForcibly().waitFor();
            process.getOutputStream().close();
            process.getInputStream().close();
            process.getErrorStream().close();
        });
        return process;
    }

    private static void tellToEnd(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private static void awaitEnd(Pidfd pidfd) throws IOException {
        assertTrue(pidfd.handle().await(true, Deadline.in(Patience.LIMIT)), "it does not end");
    }

    @Test
    void isReadyOnceTheProcessHasEnded() throws Exception {
        Process process = child();
        Pidfd pidfd = own(Pidfd.open(process.toHandle()));
        assertFalse(pidfd.hasEnded());
        assertEquals(Optional.empty(), pidfd.end());
        tellToEnd(process);
        awaitEnd(pidfd);
        assertTrue(pidfd.hasEnded());
        assertEquals(7, process.waitFor());
        assertTrue(pidfd.hasEnded(), "it stays ended");
    }

    /** The thread that waits for it in the JVM may be faster, but must not go without. */
    @Test
    void aLookAtTheEndTakesNothingFromTheParent() throws Exception {
        for (int i = 0; i < 20; i++) {
            Process process = child();
            Pidfd pidfd = own(Pidfd.open(process.toHandle()));
            tellToEnd(process);
            Optional<ProcessEnd> end;
            do {
                end = pidfd.end();
            } while (end.isEmpty() && !pidfd.hasEnded());
            assertEquals(7, end.orElse(new ProcessEnd(7, 0, false)).code());
            assertEquals(7, process.waitFor());
            assertEquals(Optional.empty(), pidfd.end(), "somebody has waited for it");
        }
    }

    @Test
    void aSignalReachesTheProcess() throws Exception {
        Process process = child();
        Pidfd pidfd = own(Pidfd.open(process.pid()));
        SystemCallException e = assertThrows(SystemCallException.class, () -> pidfd.signal(1000));
        assertEquals(Errno.EINVAL, e.error());
        assertTrue(pidfd.signal(0));
        assertFalse(pidfd.hasEnded());
        assertTrue(pidfd.signal(SIGKILL));
        assertEquals(128 + SIGKILL, process.waitFor());
        assertTrue(pidfd.hasEnded());
        assertFalse(pidfd.signal(SIGKILL));
    }

    @Test
    void aProcessNeedNotBeAChild() throws Exception {
        Pidfd pidfd = own(Pidfd.open(ProcessHandle.current()));
        assertFalse(pidfd.hasEnded());
        assertEquals(Optional.empty(), pidfd.end());
    }

    @Test
    void whatHasEndedCannotBeOpened() throws Exception {
        Process process = child();
        tellToEnd(process);
        process.waitFor();
        SystemCallException e = assertThrows(SystemCallException.class, () -> Pidfd.open(process.toHandle()));
        assertEquals("pidfd_open process " + process.pid() + ": ESRCH (no such process)", e.getMessage());
    }

    @Test
    void aProcessThatHasTheSameNumberIsNotTaken() throws Exception {
        Process process = child();
        try (FaultInjection faults = FaultInjection.install()) {
            process.destroyForcibly().waitFor();
            // As if another process had the number of the child by now. Who gets the descriptor has to close it.
            Handle other = Pidfd.open(ProcessHandle.current()).handle();
            other.acquire();
            faults.returnNth("pidfd_open", 1, other.surrender());
            SystemCallException e = assertThrows(SystemCallException.class, () -> Pidfd.open(process.toHandle()));
            assertEquals(Errno.ESRCH, e.error());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1L << 31, Long.MAX_VALUE})
    void whatIsNoNumberOfAProcess(long pid) {
        assertThrows(IllegalArgumentException.class, () -> Pidfd.open(pid));
    }

    @Test
    void useAfterTheClose() throws Exception {
        Pidfd pidfd = own(Pidfd.open(ProcessHandle.current()));
        pidfd.close();
        pidfd.close();
        assertThrows(HandleClosedException.class, pidfd::hasEnded);
        assertThrows(HandleClosedException.class, pidfd::end);
        assertThrows(HandleClosedException.class, () -> pidfd.signal(0));
    }

    @Test
    void failures() throws Exception {
        long self = ProcessHandle.current().pid();
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("pidfd_open", 1, Errno.EMFILE).failNth("pidfd_open", 2, Errno.ENOSYS);
            SystemCallException e = assertThrows(SystemCallException.class, () -> Pidfd.open(self));
            assertEquals("pidfd_open process " + self + ": EMFILE (too many open files in this process)",
                    e.getMessage());
            String old = assertThrows(UnsupportedOperationException.class, () -> Pidfd.open(self)).getMessage();
            assertTrue(old.contains("ENOSYS") && old.contains("Linux 5.3") && old.contains("ProcessHandle.onExit"),
                    old);
            Pidfd pidfd = own(Pidfd.open(self));
            faults.failNth("waitid", 1, Errno.EINTR).failNth("waitid", 3, Errno.EINVAL)
                    .failNth("pidfd_send_signal", 1, Errno.EPERM);
            assertEquals(Optional.empty(), pidfd.end());
            assertEquals(2, faults.calls("waitid"), "an interrupted call is repeated");
            e = assertThrows(SystemCallException.class, pidfd::end);
            assertEquals("waitid " + pidfd + ": EINVAL (invalid argument)", e.getMessage());
            e = assertThrows(SystemCallException.class, () -> pidfd.signal(SIGKILL));
            assertEquals("pidfd_send_signal " + pidfd + ": EPERM (operation not permitted)", e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Os.class, names = {"MACOS", "FREEBSD", "OPENBSD"})
    void otherSystemsHaveNone(Os other) {
        try (OtherSystem system = OtherSystem.play(other)) {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class,
                    () -> Pidfd.open(ProcessHandle.current()));
            assertEquals("a process that is a handle needs Linux, and this is " + other.title()
                    + "; use ProcessHandle.onExit", e.getMessage());
        }
    }

    /**
     * The JVM waits at once for each child that it has started itself. So a shell starts the children, and then becomes
     * the JVM that looks at them.
     */
    @Test
    void childrenThatNobodyWaitsForCanBeLookedAtAgainAndAgain() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "mkfifo \"$0\" || exit 1;"
                // What a failure leaves of them must not keep the output open.
                + "(read x < \"$0\"; exit 7) > /dev/null 2>&1 & a=$!; sleep 1000 > /dev/null 2>&1 & b=$!;"
                + "exec \"$@\" \"$0\" $a $b", directory.resolve("go").toString()));
        command.addAll(Emulator.command());
        command.addAll(List.of(java.toString(), "-Xmx64m", "-cp", System.getProperty("java.class.path")));
        if (System.getProperty("sluice.native") != null) {
            command.add("-Dsluice.native=" + System.getProperty("sluice.native"));
        }
        command.add(Parent.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.getErrorStream().close();
        process.getInputStream().close();
        assertEquals(0, process.waitFor(), output);
    }

    /** Ends with a stack trace unless all is well. */
    static final class Parent {

        private Parent() {
        }

        public static void main(String[] arguments) throws Exception {
            try (Pidfd exits = Pidfd.open(Long.parseLong(arguments[1]));
                    Pidfd isKilled = Pidfd.open(Long.parseLong(arguments[2]))) {
                require(Optional.empty(), exits.end());
                Files.writeString(Path.of(arguments[0]), "\n");
                isKilled.signal(SIGKILL);
                awaitEnd(exits);
                awaitEnd(isKilled);
                for (int i = 0; i < 3; i++) {
                    require(Optional.of(new ProcessEnd(7, 0, false)), exits.end());
                    require(Optional.of(new ProcessEnd(0, SIGKILL, false)), isKilled.end());
                }
                require(true, exits.end().orElseThrow().isExit());
                require(false, isKilled.end().orElseThrow().isExit());
                require(true, exits.signal(0));
            }
        }

        private static void require(Object expected, Object actual) {
            if (!expected.equals(actual)) {
                throw new AssertionError("expected " + expected + ", but it is " + actual);
            }
        }
    }
}
