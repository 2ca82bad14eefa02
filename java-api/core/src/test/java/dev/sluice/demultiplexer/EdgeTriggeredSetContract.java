package dev.sluice.demultiplexer;

import org.junit.jupiter.api.Nested;

/** The whole contract of an edge-triggered demultiplexer: an iterative handle set, thousands of handles. */
public abstract class EdgeTriggeredSetContract extends SynchronousDemultiplexerContract {

    private final String name;

    /**
     * For subclasses.
     *
     * @param name of the demultiplexer under test
     */
    protected EdgeTriggeredSetContract(String name) {
        super(name);
        this.name = name;
    }

    @Nested
    class WhenReady extends EdgeTriggerContract {
        WhenReady() {
            super(name);
        }
    }

    @Nested
    class HandleSet extends IterativeHandleSetContract {
        HandleSet() {
            super(name);
        }
    }

    @Nested
    class Scale extends ScaleContract {
        Scale() {
            super(name);
        }
    }
}
