/** A directory of Lucene on the files of this library. */
module dev.sluice.lucene {
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
    requires transitive dev.sluice.files;
    requires transitive org.apache.lucene.core;

    exports dev.sluice.lucene;
}
