/** The staged event-driven architecture: stages with bounded queues, and sockets and files as stages. */
module dev.sluice.stages {
    requires dev.sluice.calls;
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
    requires transitive dev.sluice.core;

    exports dev.sluice.stages;
    exports dev.sluice.stages.io;
}
