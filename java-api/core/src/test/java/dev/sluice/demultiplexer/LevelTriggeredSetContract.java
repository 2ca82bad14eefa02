package dev.sluice.demultiplexer;

import org.junit.jupiter.api.Nested;

/** The whole contract of the usual kind: level-triggered, an iterative handle set, thousands of handles. */
public abstract class LevelTriggeredSetContract extends SynchronousDemultiplexerContract {

    private final String name;

    /**
     * For subclasses.
     *
     * @param name of the demultiplexer under test
     */
    protected LevelTriggeredSetContract(String name) {
        super(name);
        this.name = name;
    }

    @Nested
    class WhenReady extends LevelTriggerContract {
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
