package dev.sluice.benchmarks.recipes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.recipes.DescriptorShortage;
import dev.sluice.recipes.EchoExchange;
import dev.sluice.recipes.Recipe;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NioEchoTest {

    @Test
    void sendsAllBack() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = Recipe.of(NioEcho.class).listening(address)) {
            new EchoExchange(address).all();
            assertTrue(server.isAlive());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void survivesAShortageOfDescriptors() throws Exception {
        DescriptorShortage.assertIsSurvivedBy(Recipe.of(NioEcho.class));
    }
}
