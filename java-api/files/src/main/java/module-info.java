/** Many reads and writes of files at once, for threads that run no event loop. */
module dev.sluice.files {
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
    requires transitive dev.sluice.core;

    exports dev.sluice.files;
}
