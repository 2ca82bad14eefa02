package dev.sluice.samples.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JarredClassPath;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More connections than the process may have descriptors. */
@EnabledOnOs(OS.LINUX)
class EchoDescriptorShortageTest {

    private static final int CONNECTIONS = 200;
    private static final Duration WATCHED = Duration.ofSeconds(1);
    private static final Duration MAX_CPU = Duration.ofMillis(500);

    /** With no descriptor left, a class could not be loaded from a directory. */
    private static String classPath;

    @BeforeAll
    static void packClasses(@TempDir Path directory) throws IOException {
        classPath = JarredClassPath.in(directory);
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.echo.EchoServers#patterns")
    void servesTheConnectionsAboveTheLimitWhenOthersHaveGone(EchoServers.EchoServer server) throws Exception {
        List<SocketChannel> waiting = new ArrayList<>();
        try (RunningSample echo = server.command("--port", "0", "--connections", "1000")
                .withClassPath(classPath).after("ulimit -n 120").start()) {
            InetSocketAddress address = echo.awaitAddress();
            for (int i = 0; i < CONNECTIONS; i++) {
                waiting.add(greet(address));
            }
            echo.errors().awaitLine("complaint", line -> line.contains("EMFILE"));
            assertDoesNotSpin(echo);
            Patience.until(() -> waiting.size() + " connections get served", () -> {
                closeServed(waiting);
                return waiting.isEmpty();
            });
            echo.stop();
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    private static SocketChannel greet(InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        assertEquals(1, channel.write(ByteBuffer.wrap(new byte[] {1})));
        channel.configureBlocking(false);
        return channel;
    }

    private static void assertDoesNotSpin(RunningSample echo) throws Exception {
        Duration before = echo.figures().cpuTime();
        long end = System.nanoTime() + WATCHED.toNanos();
        Patience.until("the time is over", () -> System.nanoTime() - end > 0);
        Duration used = echo.figures().cpuTime().minus(before);
        assertTrue(used.compareTo(MAX_CPU) < 0, () -> used + " of CPU in " + WATCHED);
    }

    private static void closeServed(List<SocketChannel> waiting) throws IOException {
        for (Iterator<SocketChannel> each = waiting.iterator(); each.hasNext();) {
            SocketChannel channel = each.next();
            int received = channel.read(ByteBuffer.allocate(2));
            if (received != 0) {
                assertEquals(1, received);
                channel.close();
                each.remove();
            }
        }
    }
}
