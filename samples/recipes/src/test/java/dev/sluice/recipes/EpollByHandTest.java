package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollByHandTest {

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.of(EpollByHand.class).listening(address)) {
            new EchoExchange(address).all();
            assertEquals(true, server.isAlive());
        }
    }

    @Test
    void survivesAShortageOfDescriptors() throws Exception {
        DescriptorShortage.assertIsSurvivedBy(Recipe.of(EpollByHand.class));
    }

    @Test
    void saysWhyItDoesNotListen() throws Exception {
        TakenPort.assertReported(Recipe.of(EpollByHand.class), "bind: EADDRINUSE (address already in use)");
    }
}
