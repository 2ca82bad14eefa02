package dev.sluice.recipes;

import org.junit.jupiter.api.Test;

class ReactorEchoTest extends EchoContract {

    ReactorEchoTest() {
        super(Recipe.of(ReactorEcho.class));
    }

    @Test
    void saysWhyItDoesNotListen() throws Exception {
        TakenPort.assertReported(Recipe.of(ReactorEcho.class), "EADDRINUSE (address already in use)");
    }
}
