package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReactorEchoTest {

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.listening(ReactorEcho.class, address)) {
            new EchoExchange(address).all();
            assertTrue(server.isAlive());
            assertEquals("", server.errors().text());
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void sendsWhatIsLeftWhenItIsStopped() throws Exception {
        InetSocketAddress address = FreePort.address();
        byte[] much = RandomBytes.of(6, 1 << 20);
        try (SampleProcess server = Recipe.listening(ReactorEcho.class, address);
                Socket peer = new Socket(address.getAddress(), address.getPort())) {
            peer.getOutputStream().write(much, 0, much.length / 2);
            byte[] first = peer.getInputStream().readNBytes(1);
            server.terminate();
            byte[] rest = peer.getInputStream().readAllBytes();
            peer.close();
            assertEquals(0, server.awaitExit(), server.errors()::text);
            assertEquals(much[0], first[0]);
            assertArrayEquals(Arrays.copyOfRange(much, 1, rest.length + 1), rest);
        }
    }

    @Test
    void saysWhyItDoesNotListen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                SampleProcess server = SampleProcess.start(
                        Recipe.process(ReactorEcho.class, Integer.toString(taken.getLocalPort())))) {
            assertEquals(1, server.awaitExit());
            server.errors().awaitLine("why", line -> line.contains("EADDRINUSE (address already in use)"));
        }
    }
}
