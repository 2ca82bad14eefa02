package dev.sluice.demultiplexer.afd;

import dev.sluice.demultiplexer.OneShotSetContract;
import dev.sluice.demultiplexer.ScaleContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class AfdOneShotContractTest extends OneShotSetContract {

    private static final String NAME = "afd-one-shot";

    AfdOneShotContractTest() {
        super(NAME);
    }

    @Nested
    class Scale extends ScaleContract {
        Scale() {
            super(NAME);
        }
    }
}
