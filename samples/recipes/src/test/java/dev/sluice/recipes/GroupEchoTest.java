package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The echoes on all processors. */
class GroupEchoTest {

    @ParameterizedTest
    @ValueSource(classes = {ReactorGroupEcho.class, ProactorGroupEcho.class})
    void sendsAllBack(Class<?> recipe) throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.listening(recipe, address)) {
            new EchoExchange(address).all();
            assertTrue(server.isAlive());
            assertEquals("", server.errors().text());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ReactorGroupEcho.class, ProactorGroupEcho.class})
    @DisabledOnOs(OS.WINDOWS)
    void connectionsOfAllLoopsEndWhenItIsStopped(Class<?> recipe) throws Exception {
        InetSocketAddress address = FreePort.address();
        List<Socket> peers = new ArrayList<>();
        try (SampleProcess server = Recipe.listening(recipe, address)) {
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
