package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link SynchronousEventDemultiplexer}, by topic. A demultiplexer is complete when it passes all of
 * this, the contracts of its trigger and of its kind of handle set, and {@link ScaleContract} or
 * {@link DescriptorLimitContract}: its test extends this class and adds those as nested classes.
 */
public abstract class SynchronousDemultiplexerContract {

    private final String name;

    /**
     * For subclasses.
     *
     * @param name of the demultiplexer under test
     */
    protected SynchronousDemultiplexerContract(String name) {
        this.name = name;
    }

    @Nested
    class Open extends OpenContract {
        Open() {
            super(name);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        Readiness() {
            super(name);
        }
    }

    @Nested
    class LinuxHandles extends LinuxHandleContract {
        LinuxHandles() {
            super(name);
        }
    }

    @Nested
    class RegularFiles extends RegularFileContract {
        RegularFiles() {
            super(name);
        }
    }

    @Nested
    class Failures extends FailureContract {
        Failures() {
            super(name);
        }
    }

    @Nested
    class Silence extends SilenceContract {
        Silence() {
            super(name);
        }
    }

    @Nested
    class Registrations extends RegistrationContract {
        Registrations() {
            super(name);
        }
    }

    @Nested
    class Batches extends BatchContract {
        Batches() {
            super(name);
        }
    }

    @Nested
    class Release extends ReleaseContract {
        Release() {
            super(name);
        }
    }

    @Nested
    class ChangesDuringWait extends ChangesDuringWaitContract {
        ChangesDuringWait() {
            super(name);
        }
    }

    @Nested
    class Answers extends AnswerContract {
        Answers() {
            super(name);
        }
    }

    @Nested
    class Timeouts extends TimeoutContract {
        Timeouts() {
            super(name);
        }
    }

    @Nested
    class OwnersWaits extends OwnersWaitContract {
        OwnersWaits() {
            super(name);
        }
    }

    @Nested
    class WakeUps extends WakeUpContract {
        WakeUps() {
            super(name);
        }
    }

    @Nested
    class Close extends CloseContract {
        Close() {
            super(name);
        }
    }
}
