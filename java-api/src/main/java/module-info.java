/** Handles and wrapper facades, the demultiplexer interfaces, and the event patterns on top of them. */
module dev.sluice.api {
    requires jdk.unsupported;
    requires org.slf4j;
    requires transitive dev.sluice.calls;

    exports dev.sluice.connection;
    exports dev.sluice.demultiplexer;
    exports dev.sluice.eventloop;
    exports dev.sluice.handle;
    exports dev.sluice.leaderfollowers;
    exports dev.sluice.proactor;
    exports dev.sluice.reactor;
    exports dev.sluice.timer;

    uses dev.sluice.demultiplexer.DemultiplexerProvider;
}
