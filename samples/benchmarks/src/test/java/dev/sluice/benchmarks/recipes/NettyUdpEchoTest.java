package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.Recipe;
import dev.sluice.recipes.UdpEchoContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag(Depth.IN_MATRIX)
@EnabledOnOs(OS.LINUX)
class NettyUdpEchoTest extends UdpEchoContract {

    NettyUdpEchoTest() {
        super(Recipe.withShutdownHook(NettyUdpEcho.class));
    }
}
