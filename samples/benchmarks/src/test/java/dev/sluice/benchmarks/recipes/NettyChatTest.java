package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.ChatContract;
import dev.sluice.recipes.Recipe;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
class NettyChatTest extends ChatContract {

    NettyChatTest() {
        super(Recipe.withShutdownHook(NettyChat.class));
    }
}
