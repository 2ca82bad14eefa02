/**
 * Handles and wrapper facades, the demultiplexer interfaces, event loops, and the patterns Reactor, Proactor and
 * Acceptor-Connector on top of them.
 *
 * <p>Packages exported only to the demultiplexers and to the modules of further patterns serve to build those; other
 * code must not rely on them.
 *
 * <p>In the packages exported to all, an argument or a result is null only where
 * {@code org.jspecify.annotations.Nullable} says so. A result that must not be ignored, such as a socket that has been
 * opened, is annotated with {@code com.google.errorprone.annotations.CheckReturnValue}. Neither annotation is needed to
 * compile against this module or to run it.
 */
// Those are compiled after this.
@SuppressWarnings("module")
module dev.sluice.core {
    requires jdk.unsupported;
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
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
