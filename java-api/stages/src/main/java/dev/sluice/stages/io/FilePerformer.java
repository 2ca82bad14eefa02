package dev.sluice.stages.io;

/** Does what files are asked for. Called by the stage's threads, for each file by one at a time. */
interface FilePerformer {

    /**
     * Does, or begins, what a file is asked for. Its end is {@link StagedFile#ended}, which may be called before this
     * returns.
     *
     * @param file    the file, for which nothing else goes on
     * @param request what is to be done
     */
    void perform(StagedFile file, FileRequest request);
}
