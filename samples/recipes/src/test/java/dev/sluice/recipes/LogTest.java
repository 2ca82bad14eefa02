package dev.sluice.recipes;

import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows forces no directories")
class LogTest extends LogContract {

    LogTest() {
        super(Recipe.of(Log.class));
    }
}
