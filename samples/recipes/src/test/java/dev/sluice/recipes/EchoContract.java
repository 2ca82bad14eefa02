package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What each echo server that stops in order promises. */
public abstract class EchoContract {

    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the server
     */
    protected EchoContract(Recipe recipe) {
        this.recipe = recipe;
    }

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address)) {
            new EchoExchange(address).all();
            assertTrue(server.isAlive());
            assertEquals("", server.errors().text());
        }
    }

    /** More peers than there are loops, and one that has not read yet what is left for it. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process there gets no SIGTERM")
    void sendsWhatIsLeftAndEndsAllConnectionsWhenItIsStopped() throws Exception {
        InetSocketAddress address = FreePort.address();
        byte[] much = RandomBytes.of(6, 1 << 20);
        List<Socket> peers = new ArrayList<>();
        try (SampleProcess server = recipe.listening(address);
                Socket slow = new Socket(address.getAddress(), address.getPort())) {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                Socket peer = new Socket(address.getAddress(), address.getPort());
                peers.add(peer);
                peer.getOutputStream().write(i);
                assertEquals(i, peer.getInputStream().read());
            }
            slow.getOutputStream().write(much, 0, much.length / 2);
            byte[] first = slow.getInputStream().readNBytes(1);
            server.terminate();
            for (Socket peer : peers) {
                assertEquals(-1, peer.getInputStream().read());
                peer.close();
            }
            byte[] rest = slow.getInputStream().readAllBytes();
            slow.close();
            recipe.awaitStop(server);
            assertEquals(much[0], first[0]);
            assertArrayEquals(Arrays.copyOfRange(much, 1, rest.length + 1), rest);
            Patience.until("the port is free", () -> !Recipe.accepts(address));
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
    }
}
