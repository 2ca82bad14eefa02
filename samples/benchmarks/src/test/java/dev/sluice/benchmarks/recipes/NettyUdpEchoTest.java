package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.Recipe;
import dev.sluice.recipes.UdpEchoContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NettyUdpEchoTest extends UdpEchoContract {

    NettyUdpEchoTest() {
        super(Recipe.withShutdownHook(NettyUdpEcho.class));
    }
}
