package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.Setups;
import dev.sluice.samples.io.IoStrategy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many clients send as much as they can, while the server is busy with something else, and has little memory. */
@EnabledOnOs(OS.LINUX)
class WebFloodTest {

    private static final int CLIENTS = 200;
    /** A client has sent all it can if nothing leaves in so many attempts. */
    private static final int ATTEMPTS = 40;
    private static final long PAUSE = 5_000_000;
    private static final String PATH = "/" + "x".repeat(4000);

    private static final byte[] REQUESTS = HttpClientSocket.request("GET", PATH).repeat(100).getBytes(US_ASCII);

    private final List<Flooder> flood = new ArrayList<>();

    /** Sends one request after the other, and receives nothing. */
    private record Flooder(SocketChannel socket, ByteBuffer requests) {

        static Flooder of(InetSocketAddress address) throws IOException {
            SocketChannel socket = SocketChannel.open(address);
            socket.configureBlocking(false);
            return new Flooder(socket, ByteBuffer.allocateDirect(REQUESTS.length).put(REQUESTS).flip());
        }

        /** {@return whether it has been able to} Who has been too far ahead may have been cut off. */
        boolean send() throws IOException {
            try {
                if (!requests.hasRemaining()) {
                    requests.rewind();
                }
                return socket.isOpen() && socket.write(requests) > 0;
            } catch (IOException e) {
                socket.close();
                return false;
            }
        }
    }

    static Stream<String> demultiplexers() {
        return Setups.asynchronousDemultiplexers();
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void thoseWhoSendAheadDoNotTakeAllMemory(String demultiplexer, @TempDir Path root) throws Exception {
        try (WebSample web = WebSample.start(SampleCommand.of(WebDriver.of(IoStrategy.PROACTIVE).command("--root",
                root.toString(), "--access-log", "-", "--demultiplexer", demultiplexer)).withOption("-Xmx48m")
                .withOption("-XX:+ExitOnOutOfMemoryError").holdingOutput())) {
            for (int i = 0; i < CLIENTS; i++) {
                flood.add(Flooder.of(web.address()));
            }
            // What it has to log holds it up meanwhile.
            int idle = 0;
            while (idle < ATTEMPTS) {
                boolean sent = false;
                for (Flooder each : flood) {
                    sent |= each.send();
                }
                idle = sent ? 0 : idle + 1;
                LockSupport.parkNanos(PAUSE);
            }
            web.process().output().release();
            try (HttpClientSocket other = web.connect()) {
                assertEquals(404, other.get("/none").receive().status());
            }
            for (Flooder each : flood) {
                each.socket().close();
            }
            web.process().stop();
            assertFalse(web.process().errors().text().contains("Error"), web.process().errors()::text);
        }
    }
}
