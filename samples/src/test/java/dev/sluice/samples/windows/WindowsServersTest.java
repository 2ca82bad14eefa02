package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ForeignProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers with the I/O of Windows, made by a program under Wine, and clients of this system. */
@Tag("windows")
class WindowsServersTest {

    private static final int CLIENTS = 12;

    @TempDir
    private Path directory;
    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void endClients() {
        clients.shutdownNow();
    }

    private static RunningSample start(String... arguments) throws Exception {
        String[] all = Stream.concat(Stream.of(arguments), Stream.of("--native", "wine", "--port", "0"))
                .toArray(String[]::new);
        return SampleCommand.of(all).start();
    }

    @ParameterizedTest
    @CsvSource({"reactor, select", "reactor, wsapoll", "reactor, wfmo", "reactor, afd", "proactor, iocp"})
    void echoesByteForByte(String pattern, String demultiplexer) throws Exception {
        try (RunningSample echo = start("echo", "--pattern", pattern, "--demultiplexer", demultiplexer)) {
            String ready = echo.awaitReadyLine();
            assertTrue(ready.contains("(" + demultiplexer + ", wine, "), ready);
            InetSocketAddress address = echo.awaitAddress();
            List<CompletableFuture<byte[]>> echoes = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                byte[] bytes = RandomBytes.of(i, 20_000 * i + 1);
                echoes.add(CompletableFuture.supplyAsync(() -> exchange(address, bytes), clients));
            }
            for (int i = 0; i < CLIENTS; i++) {
                byte[] came = echoes.get(i).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertArrayEquals(RandomBytes.of(i, 20_000 * i + 1), came, "client " + i);
            }
            echo.stop();
            assertEquals("", echo.errors().text());
        }
    }

    /** Sends everything and reads meanwhile until the server closes. */
    private byte[] exchange(InetSocketAddress address, byte[] bytes) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendAll(socket, bytes), clients);
            byte[] came = socket.getInputStream().readAllBytes();
            sent.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            return came;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendAll(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            socket.shutdownOutput();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reactive", "proactive"})
    void servesFilesAndRangesAndKeepsTheConnection(String io) throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        byte[] bytes = RandomBytes.of(5, 1_500_000);
        Files.write(root.resolve("file.bin"), bytes);
        Files.writeString(root.resolve("small.txt"), "small");
        // Mapped memory belongs to the program under Wine alone.
        for (String way : List.of("read", "transmit")) {
            try (RunningSample web = start("web", "--io", io, "--threads", "2", "--root", root.toString(),
                    "--file-io", way)) {
                InetSocketAddress address = web.awaitAddress();
                String url = "http://" + address.getHostString() + ":" + address.getPort();
                assertArrayEquals(bytes, curl(url + "/file.bin").output());
                assertArrayEquals(Arrays.copyOfRange(bytes, 1_000_000, 1_200_000),
                        curl("--range", "1000000-1199999", url + "/file.bin").output());
                String counts = curl("--write-out", "%{num_connects}:%{http_code} ", "--output", "/dev/null",
                        url + "/small.txt", "--output", "/dev/null", url + "/file.bin", "--output", "/dev/null",
                        url + "/nowhere").text();
                assertEquals("1:200 0:200 0:404 ", counts);
                assertEquals("small", curl(url + "/small.txt").text());
                web.stop();
                assertEquals("", web.errors().text());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reactive", "proactive"})
    void servesByGopher(String io) throws Exception {
        byte[] bytes = RandomBytes.of(6, 1_500_000);
        Files.write(directory.resolve("file.bin"), bytes);
        try (RunningSample gopher = start("gopher", directory.toString(), "--io", io, "--file-io", "transmit")) {
            InetSocketAddress address = gopher.awaitAddress();
            String url = "gopher://" + address.getHostString() + ":" + address.getPort();
            assertArrayEquals(bytes, curl(url + "/9/file.bin").output());
            assertEquals("9file.bin\t/file.bin\t" + address.getHostString() + "\t" + address.getPort() + "\r\n.\r\n",
                    curl(url + "/").text());
            gopher.stop();
            assertEquals("", gopher.errors().text());
        }
    }

    private static ForeignProgram curl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error", "--max-time", "50"));
        command.addAll(List.of(arguments));
        return ForeignProgram.run(command);
    }
}
