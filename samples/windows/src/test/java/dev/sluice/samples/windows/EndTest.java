package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.testing.Depth;
import dev.sluice.windows.WindowsJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The ways in which Windows ends a process, or seems to, besides Ctrl-C: {@link ServersTest} ends servers by that. */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
@Tag(Depth.IN_MATRIX)
class EndTest {

    private static final String COMPILER = "x86_64-w64-mingw32-gcc";

    /**
     * Sends an event of the console to a process, as the console does: by a thread in that process which begins in
     * CtrlRoutine. GenerateConsoleCtrlEvent knows Ctrl-C and Ctrl-Break alone, and needs a console.
     */
    private static final String SENDER_SOURCE = """
            #include <stdlib.h>
            #include <windows.h>
            int main(int count, char **arguments) {
                HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, strtoul(arguments[1], NULL, 10));
                void *event = (void *) (size_t) strtoul(arguments[2], NULL, 10);
                LPTHREAD_START_ROUTINE routine =
                    (LPTHREAD_START_ROUTINE) GetProcAddress(GetModuleHandleA("kernelbase"), "CtrlRoutine");
                return CreateRemoteThread(process, NULL, 0, routine, event, 0, NULL) == NULL;
            }
            """;
    private static final int CTRL_BREAK_EVENT = 1;
    private static final int CTRL_CLOSE_EVENT = 2;

    private static final int CLIENTS = 8;
    private static final int EACH = 60;
    private static final int RECORDS = 2_000_000;
    /** After so many the client pauses for a millisecond, so that a kill comes in time on a busy machine, too. */
    private static final int RECORDS_AT_ONCE = 20;

    @TempDir
    private Path directory;

    private WindowsSample start(String... arguments) throws Exception {
        return WindowsSample.start(WindowsJvm.ofVersion(25), List.of(), arguments);
    }

    private String windowsPath(Path file) {
        return WindowsJvm.ofVersion(25).windowsPath(file);
    }

    private void send(int event, WindowsSample to) throws Exception {
        assumeTrue(Programs.has(COMPILER), "no " + COMPILER + " here");
        Path sender = directory.resolve("sender.exe");
        ExternalProgram compilation = ExternalProgram.run(List.of(COMPILER, "-o", sender.toString(),
                Files.writeString(directory.resolve("sender.c"), SENDER_SOURCE).toString()));
        assertEquals(0, compilation.exitCode(), compilation::errors);
        to.run(windowsPath(sender), to.pid(), String.valueOf(event));
    }

    /** As everywhere in Java: what Ctrl-\\ does on other systems. */
    @Test
    void ctrlBreakPrintsTheThreadsOfAServerThatGoesOn() throws Exception {
        try (WindowsSample echo = start("echo", "--port", "0")) {
            InetSocketAddress address = echo.awaitAddress();
            send(CTRL_BREAK_EVENT, echo);
            // The dump ends with the heap.
            echo.process().output().awaitLine("threads", line -> line.startsWith("Heap"));
            assertTrue(echo.process().output().text().contains("Full thread dump"));
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.getOutputStream().write('x');
                socket.shutdownOutput();
                assertEquals("x", new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            }
            echo.stop();
        }
    }

    /**
     * The connection that is open is closed in order, too. Windows ends the process once the handler of its JVM has
     * returned, which does not wait for all that: there only what is fast comes to its end.
     */
    @Test
    void closingTheConsoleEndsAServerInOrder() throws Exception {
        try (WindowsSample echo = start("echo", "--port", "0")) {
            InetSocketAddress address = echo.awaitAddress();
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.getOutputStream().write('x');
                assertEquals('x', socket.getInputStream().read());
                send(CTRL_CLOSE_EVENT, echo);
                assertEquals(-1, socket.getInputStream().read());
            }
            echo.awaitOrderlyEnd();
        }
    }

    @Test
    void bankLosesNothingWhenItIsKilledUnderLoad() throws Exception {
        Path data = directory.resolve("bank");
        String[] command = {"oltp-back", "--port", "0", "--data", windowsPath(data), "--branches",
                "" + BackEndSample.BRANCHES, "--tellers", "" + BackEndSample.TELLERS, "--accounts",
                "" + BackEndSample.ACCOUNTS};
        Map<String, Acknowledged> acknowledged;
        DepositLoad load;
        try (WindowsSample back = start(command)) {
            load = DepositLoad.start(back.awaitAddress(), CLIENTS, EACH);
            Patience.until("deposits before the kill", () -> load.acknowledgedCount() >= CLIENTS * EACH / 3);
            kill(back);
            assertTrue(load.acknowledgedCount() < CLIENTS * EACH, "the load was over before the kill");
        }
        try (load; WindowsSample back = start(command)) {
            load.moved(back.awaitAddress());
            acknowledged = load.await();
            assertEquals(CLIENTS * EACH, acknowledged.size());
            try (WindowsSample front = start("oltp-front", "--port", "0", "--back",
                    "127.0.0.1:" + back.awaitAddress().getPort())) {
                long account = 17;
                ExternalProgram deposit = ExternalProgram.run(List.of("redis-cli", "-p",
                        "" + front.awaitAddress().getPort(), "DEPOSIT", "" + account, "3", "0", "7", "by-front"));
                assertEquals(0, deposit.exitCode(), deposit::errors);
                acknowledged.put("by-front", new Acknowledged(account, 7, Long.parseLong(deposit.text().strip())));
                front.stop();
            }
            back.stop();
        }
        DepositLoad.assertBooks(data, acknowledged);
        try (Stream<Path> left = Files.list(data.resolve("native"))) {
            assertTrue(left.count() <= 2, "what the killed process has left adds up");
        }
    }

    /** Without a word to the process. */
    private static void kill(WindowsSample sample) throws Exception {
        assertTrue(sample.run("taskkill", "/F", "/PID", sample.pid()).contains("forcibly terminated"));
        sample.process().awaitExit();
    }

    @Test
    void logKeepsWholeRecordsInOrderWhenItIsKilledUnderLoad() throws Exception {
        Path file = directory.resolve("log");
        String[] command = {"logging", "--port", "0", "--file", windowsPath(file)};
        CompletableFuture<Void> sent;
        try (WindowsSample logging = start(command)) {
            InetSocketAddress address = logging.awaitAddress();
            // In a thread of its own: the pool has one on two processors, which the end of a process needs.
            sent = CompletableFuture.runAsync(() -> sendRecords(address), task -> new Thread(task).start());
            Patience.until("records before the kill", () -> Files.exists(file) && Files.size(file) > 0);
            kill(logging);
        }
        assertThrows(CompletionException.class, sent::join, "all was sent before the kill");
        try (WindowsSample logging = start(command);
                Socket socket = new Socket(logging.awaitAddress().getAddress(), logging.awaitAddress().getPort())) {
            socket.getOutputStream().write(record("the next"));
            socket.shutdownOutput();
            assertEquals(-1, socket.getInputStream().read());
            logging.stop();
        }
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.get(lines.size() - 1).endsWith(": the next"), lines.get(lines.size() - 1));
        List<String> before = lines.subList(0, lines.size() - 1);
        int last = before.size() - 1;
        assertEquals(IntStream.range(0, last).mapToObj(n -> line("record " + n)).toList(), before.subList(0, last));
        // The last write may have been cut.
        assertTrue(line("record " + last).startsWith(before.get(last)), before.get(last));
    }

    private static void sendRecords(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            OutputStream out = socket.getOutputStream();
            for (int n = 0; n < RECORDS; n++) {
                out.write(record("record " + n));
                if (n % RECORDS_AT_ONCE == 0) {
                    Thread.sleep(1);
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] record(String text) {
        return (line(text) + '\n').getBytes(StandardCharsets.US_ASCII);
    }

    private static String line(String text) {
        return "<13>Oct 11 22:14:15 host test: " + text;
    }
}
