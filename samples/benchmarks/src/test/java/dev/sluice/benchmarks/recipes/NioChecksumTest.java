package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.ChecksumContract;
import dev.sluice.recipes.Recipe;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NioChecksumTest extends ChecksumContract {

    NioChecksumTest() {
        super(Recipe.of(NioChecksum.class));
    }
}
