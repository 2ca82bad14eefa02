package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollByHandTest {

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.listening(EpollByHand.class, address)) {
            new EchoExchange(address).all();
            assertEquals(true, server.isAlive());
        }
    }

    @Test
    void saysWhyItDoesNotListen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                SampleProcess server = SampleProcess.start(
                        Recipe.process(EpollByHand.class, Integer.toString(taken.getLocalPort())))) {
            assertEquals(1, server.awaitExit());
            server.errors().awaitLine("why", line -> line.contains("bind: EADDRINUSE (address already in use)"));
        }
    }
}
