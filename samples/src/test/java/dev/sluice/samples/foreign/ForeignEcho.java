package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/**
 * The echo sample on a foreign JVM, with a client on this one.
 *
 * @param jvm     the JVM
 * @param binding the binding it uses
 */
record ForeignEcho(ForeignJvm jvm, String binding) {

    private static final List<String> READINESS = List.of("select", "poll", "epoll", "epoll-edge", "epoll-one-shot");
    private static final List<String> COMPLETION = List.of("select", "poll", "epoll", "epoll-one-shot");
    private static final int LIMIT_MILLIS = 600_000;
    private static final byte[] BYTES = RandomBytes.of(17, 300_000);

    void test() throws Exception {
        for (String demultiplexer : READINESS) {
            test("reactor", demultiplexer);
        }
        for (String demultiplexer : COMPLETION) {
            test("proactor", demultiplexer);
        }
        System.out.println(jvm + " " + binding + " echo: byte-exact by " + READINESS + " and " + COMPLETION);
    }

    private void test(String pattern, String demultiplexer) throws Exception {
        List<String> arguments = List.of("echo", "--port", "0", "--pattern", pattern, "--demultiplexer", demultiplexer);
        try (SampleProcess echo = SampleProcess.start(
                jvm.program(binding, ForeignRun.classPath(), "dev.sluice.samples.Main", arguments))) {
            InetSocketAddress address = echo.awaitAddress();
            String ready = echo.awaitReadyLine();
            assertTrue(ready.contains("(" + demultiplexer) && ready.contains(" " + binding + ","), ready);
            exchange(address);
            echo.stop();
        }
    }

    private static void exchange(InetSocketAddress address) throws IOException, InterruptedException {
        try (Socket client = new Socket()) {
            client.connect(address, LIMIT_MILLIS);
            client.setSoTimeout(LIMIT_MILLIS);
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
