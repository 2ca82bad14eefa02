package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseLockFactoryTestCase;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** What Lucene asks of each factory of locks; {@link LuceneTest} runs it. */
public class LuceneLocks extends BaseLockFactoryTestCase {

    private static FileLoop loop;

    @BeforeClass
    public static void openLoop() throws IOException {
        loop = FileLoop.open();
    }

    @AfterClass
    public static void closeLoop() {
        loop.close();
        loop = null;
    }

    @Override
    protected Directory getDirectory(Path path) throws IOException {
        return TestedDirectory.DEFAULT.open(path, loop, 1);
    }
}
