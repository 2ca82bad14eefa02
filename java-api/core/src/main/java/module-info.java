/**
 * Handles and wrapper facades, the demultiplexer interfaces, event loops, and the patterns Reactor, Proactor and
 * Acceptor-Connector on top of them.
 *
 * <p>Packages exported only to the demultiplexers and to the modules of further patterns serve to build those; other
 * code must not rely on them.
 */
// Those are compiled after this.
@SuppressWarnings("module")
module dev.sluice.core {
    requires jdk.unsupported;
    requires org.slf4j;
    requires dev.sluice.calls;

    exports dev.sluice.connection;
    exports dev.sluice.deadline to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.demultiplexer;
    exports dev.sluice.demultiplexer.spi to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.dispatch to dev.sluice.leaderfollowers;
    exports dev.sluice.eventloop;
    exports dev.sluice.failure to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.handle;
    exports dev.sluice.handle.spi to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.hook to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.proactor;
    exports dev.sluice.reactor;
    exports dev.sluice.system to dev.sluice.demultiplexers, dev.sluice.leaderfollowers, dev.sluice.stages;
    exports dev.sluice.timer;
    exports dev.sluice.trace;

    uses dev.sluice.demultiplexer.spi.DemultiplexerProvider;
}
