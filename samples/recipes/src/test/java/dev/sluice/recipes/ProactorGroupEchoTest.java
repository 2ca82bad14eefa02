package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProactorGroupEchoTest {

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.listening(ProactorGroupEcho.class, address)) {
            new EchoExchange(address).all();
            assertTrue(server.isAlive());
            assertEquals("", server.errors().text());
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void connectionsOfAllLoopsEndWhenItIsStopped() throws Exception {
        InetSocketAddress address = FreePort.address();
        List<Socket> peers = new ArrayList<>();
        try (SampleProcess server = Recipe.listening(ProactorGroupEcho.class, address)) {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                Socket peer = new Socket(address.getAddress(), address.getPort());
                peers.add(peer);
                peer.getOutputStream().write(i);
                assertEquals(i, peer.getInputStream().read());
            }
            server.terminate();
            for (Socket peer : peers) {
                assertEquals(-1, peer.getInputStream().read());
                peer.close();
            }
            assertEquals(0, server.awaitExit(), server.errors()::text);
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
    }
}
