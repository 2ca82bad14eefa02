package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.ChatContract;
import dev.sluice.recipes.Recipe;

class NettyChatTest extends ChatContract {

    NettyChatTest() {
        super(Recipe.withShutdownHook(NettyChat.class));
    }
}
