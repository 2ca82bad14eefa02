package dev.sluice.demultiplexer;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a concurrent handle set, which reports a handle once; its test adds {@link ScaleContract} if it can
 * have so many handles.
 */
public abstract class OneShotSetContract extends SynchronousDemultiplexerContract {

    private final String name;

    /**
     * For subclasses.
     *
     * @param name of the demultiplexer under test
     */
    protected OneShotSetContract(String name) {
        super(name);
        this.name = name;
    }

    @Nested
    class WhenReady extends OneShotTriggerContract {
        WhenReady() {
            super(name);
        }
    }

    @Nested
    class HandleSet extends ConcurrentHandleSetContract {
        HandleSet() {
            super(name);
        }
    }
}
