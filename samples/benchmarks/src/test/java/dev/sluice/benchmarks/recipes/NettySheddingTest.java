package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.Recipe;
import dev.sluice.recipes.SheddingContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
class NettySheddingTest extends SheddingContract {

    NettySheddingTest() {
        super(Recipe.withShutdownHook(NettyShedding.class));
    }
}
