package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/** The echo sample on a foreign JVM: what comes back is what was sent. */
record OtherPlatformEcho(OtherPlatformServer server) {

    private static final byte[] BYTES = RandomBytes.of(17, 300_000);

    void test() throws Exception {
        server.onEach(List.of("echo"), List.of("--pattern", "reactor"), List.of("--pattern", "proactor"),
                this::exchange);
    }

    /** With one demultiplexer, by a Reactor and by a Proactor. */
    void testShort(String demultiplexer) throws Exception {
        for (String pattern : List.of("reactor", "proactor")) {
            server.on(demultiplexer, List.of("echo"), List.of("--pattern", pattern), this::exchange);
        }
    }

    private void exchange(InetSocketAddress address) throws IOException, InterruptedException {
        try (Socket client = new Socket()) {
            client.connect(address, server.patienceMillis());
            client.setSoTimeout(server.patienceMillis());
            Thread sender = new Thread(() -> {
                try {
                    client.getOutputStream().write(BYTES);
                    client.shutdownOutput();
                } catch (IOException e) {
                    // What arrives is short, then, and tells more.
                    return;
                }
            });
            sender.start();
            assertArrayEquals(BYTES, client.getInputStream().readAllBytes());
            sender.join();
        }
    }
}
