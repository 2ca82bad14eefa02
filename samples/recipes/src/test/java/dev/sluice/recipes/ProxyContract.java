package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.samples.Background;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy promises. */
public abstract class ProxyContract {

    /** Exchanges in the other direction, during which a proxy that still received would take more in this one. */
    private static final int CALM_EXCHANGES = 30;
    private static final int TIMEOUT_MILLIS = (int) Patience.LIMIT.toMillis();
    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

    private final Recipe recipe;
    private InetSocketAddress address;

    /**
     * Tests a program.
     *
     * @param recipe the proxy
     */
    protected ProxyContract(Recipe recipe) {
        this.recipe = recipe;
    }

    @BeforeEach
    void choosePort() throws IOException {
        address = FreePort.address();
    }

    private SampleProcess proxyTo(int port) throws Exception {
        return recipe.listening(address, "127.0.0.1", Integer.toString(port));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "nothing installs curl there")
    void curlGetsWhatTheServerSends(@TempDir Path folder) throws Exception {
        byte[] page = RandomBytes.of(7, 12 << 20);
        HttpServer origin = HttpServer.create(new InetSocketAddress(LOCAL, 0), 0);
        origin.createContext("/page", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        origin.start();
        try (SampleProcess proxy = proxyTo(origin.getAddress().getPort())) {
            Path upload = Files.write(folder.resolve("upload"), page);
            for (String method : new String[] {"GET", "POST"}) {
                Path got = folder.resolve(method);
                ProcessBuilder curl = new ProcessBuilder("curl", "-sS", "--max-time", "60", "-o", got.toString(), "-H",
                        "Expect:", "http://127.0.0.1:" + address.getPort() + "/page");
                if (method.equals("POST")) {
                    curl.command().addAll(Arrays.asList("--data-binary", "@" + upload));
                }
                assertEquals(0, exitOf(curl.inheritIO()));
                assertArrayEquals(page, Files.readAllBytes(got));
            }
            assertEquals("", proxy.errors().text());
        } finally {
            origin.stop(0);
        }
    }

    private static int exitOf(ProcessBuilder builder) throws Exception {
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            assumeTrue(false, "no curl here: " + e.getMessage());
            throw e;
        }
        assertTrue(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        return process.exitValue();
    }

    @Test
    void echoComesThrough() throws Exception {
        InetSocketAddress echo = FreePort.address();
        byte[] much = RandomBytes.of(8, 24 << 20);
        try (SampleProcess server = Recipe.of(ProactorEcho.class).listening(echo);
                SampleProcess proxy = proxyTo(echo.getPort()); Socket peer = connect()) {
            Background<byte[]> reader = Background.run(() -> peer.getInputStream().readAllBytes());
            for (int i = 0; i < 100; i++) {
                peer.getOutputStream().write(much, i, 1);
            }
            peer.getOutputStream().write(much, 100, much.length - 100);
            peer.shutdownOutput();
            assertArrayEquals(much, reader.result());
            assertTrue(server.isAlive() && proxy.isAlive());
        }
    }

    @Test
    void serverThatDoesNotReadPausesTheClient() throws Exception {
        byte[] much = RandomBytes.of(9, 80 << 20);
        try (ServerSocket server = new ServerSocket(0, 10, LOCAL); SampleProcess proxy = proxyTo(server.getLocalPort());
                SocketChannel peer = SocketChannel.open(address)) {
            // The first connection is that which has looked whether the proxy listens.
            ByteBuffer rest = ByteBuffer.wrap(much);
            peer.write(rest.limit(5));
            Socket accepted = acceptThatOf(server, Arrays.copyOf(much, 5));
            rest.limit(much.length);
            for (int calm = 0; calm < CALM_EXCHANGES; calm++) {
                peer.configureBlocking(false);
                while (peer.write(rest) > 0) {
                    calm = 0;
                }
                // The other direction is not affected, and the proxy has had the time for both.
                accepted.getOutputStream().write(1);
                peer.configureBlocking(true);
                assertEquals(1, peer.socket().getInputStream().read());
            }
            assertTrue(rest.hasRemaining(), "the proxy takes everything in");
            Background<byte[]> reader = Background.run(() -> accepted.getInputStream().readAllBytes());
            while (rest.hasRemaining()) {
                peer.write(rest);
            }
            peer.shutdownOutput();
            assertArrayEquals(Arrays.copyOfRange(much, 5, much.length), reader.result());
            accepted.close();
            assertTrue(proxy.isAlive());
        }
    }

    private static Socket acceptThatOf(ServerSocket server, byte[] first) throws IOException {
        server.setSoTimeout(TIMEOUT_MILLIS);
        while (true) {
            Socket accepted = server.accept();
            accepted.setSoTimeout(TIMEOUT_MILLIS);
            if (Arrays.equals(first, accepted.getInputStream().readNBytes(first.length))) {
                return accepted;
            }
            accepted.close();
        }
    }

    @Test
    void clientIsClosedIfThereIsNoServer() throws Exception {
        try (SampleProcess proxy = proxyTo(FreePort.find()); Socket peer = connect()) {
            assertEquals(-1, peer.getInputStream().read());
            assertTrue(proxy.isAlive());
        }
    }

    @Test
    void resetOfOneSideEndsTheOther() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, LOCAL);
                SampleProcess proxy = proxyTo(server.getLocalPort())) {
            Socket peer = connect();
            peer.getOutputStream().write(5);
            try (Socket accepted = acceptThatOf(server, new byte[] {5})) {
                peer.setSoLinger(true, 0);
                peer.close();
                assertEnds(accepted);
            }
            try (Socket other = connect()) {
                other.getOutputStream().write(6);
                Socket accepted = acceptThatOf(server, new byte[] {6});
                accepted.setSoLinger(true, 0);
                accepted.close();
                assertEnds(other);
            }
            assertTrue(proxy.isAlive());
        }
    }

    private static void assertEnds(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException e) {
            assertTrue(e.getMessage().contains("reset"), e::getMessage);
        }
    }
}
