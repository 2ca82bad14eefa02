/** A file system for the database H2, whose files no interrupt closes. */
// The digit belongs to the name of the database.
@SuppressWarnings("module")
module dev.sluice.h2 {
    requires static org.jspecify;
    requires dev.sluice.core;
    requires transitive com.h2database;

    exports dev.sluice.h2;
}
