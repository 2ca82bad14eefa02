package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.LogContract;
import dev.sluice.recipes.Recipe;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows forces no directories")
class NioLogTest extends LogContract {

    NioLogTest() {
        super(Recipe.of(NioLog.class));
    }
}
