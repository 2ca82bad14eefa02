package dev.sluice.recipes;

class LogTest extends LogContract {

    LogTest() {
        super(Recipe.of(Log.class));
    }
}
