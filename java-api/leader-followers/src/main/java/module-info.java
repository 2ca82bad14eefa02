/** The pattern Leader/Followers: pools of threads that take turns waiting for events, and process them themselves. */
module dev.sluice.leaderfollowers {
    requires dev.sluice.calls;
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
    requires transitive dev.sluice.core;

    exports dev.sluice.leaderfollowers;
}
