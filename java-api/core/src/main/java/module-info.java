/**
 * Handles and wrapper facades, the demultiplexer interfaces, and the event patterns on top of them.
 *
 * <p>Packages exported only to the demultiplexers serve to build those; other code must not rely on them.
 */
// The demultiplexers are compiled after this.
@SuppressWarnings("module")
module dev.sluice.api {
    requires jdk.unsupported;
    requires org.slf4j;
    requires dev.sluice.calls;

    exports dev.sluice.connection;
    exports dev.sluice.deadline to dev.sluice.demultiplexers;
    exports dev.sluice.demultiplexer;
    exports dev.sluice.demultiplexer.spi to dev.sluice.demultiplexers;
    exports dev.sluice.eventloop;
    exports dev.sluice.failure to dev.sluice.demultiplexers;
    exports dev.sluice.handle;
    exports dev.sluice.handle.spi to dev.sluice.demultiplexers;
    exports dev.sluice.hook to dev.sluice.demultiplexers;
    exports dev.sluice.leaderfollowers;
    exports dev.sluice.proactor;
    exports dev.sluice.reactor;
    exports dev.sluice.stage;
    exports dev.sluice.stage.io;
    exports dev.sluice.system to dev.sluice.demultiplexers;
    exports dev.sluice.timer;
    exports dev.sluice.trace;

    uses dev.sluice.demultiplexer.spi.DemultiplexerProvider;
}
